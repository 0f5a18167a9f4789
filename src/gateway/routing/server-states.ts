// How each server behind this gateway is doing, as far as the gateway has had to do with it.
import type { ServerConfig } from '../../config/types.ts';
import { isMcpxError, messageOf } from '../../errors.ts';
import { isLegacy } from '../../protocol/revisions.ts';
import type { Revision } from '../../protocol/types.ts';
import type { UpstreamConnector } from '../../upstream/types.ts';
import type { Lines } from '../channels/channels.ts';
import type { KnownServers } from './known-servers.ts';

export interface ServerState {
  readonly name: string;
  readonly transport: 'stdio' | 'http';
  /** `ready`: a channel is open. `failed`: the last attempt to open one failed. `idle`: nobody needs it now. */
  readonly state: 'ready' | 'failed' | 'idle' | 'disabled';
  /** As it was last negotiated; absent while it has never been open. */
  readonly era?: 'legacy' | 'modern';
  readonly revision?: Revision;
  /** Why hosts of older revisions are served by the modern side too, where they are. */
  readonly eraReason?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
}

export class ServerStates {
  readonly #servers: readonly ServerConfig[];
  readonly #known: KnownServers;
  readonly #lines: Lines;
  readonly #connectors: ReadonlyMap<string, UpstreamConnector>;
  readonly #failures = new Map<string, Error>();

  constructor(
    servers: readonly ServerConfig[],
    known: KnownServers,
    lines: Lines,
    connectors: ReadonlyMap<string, UpstreamConnector>,
  ) {
    this.#connectors = connectors;
    this.#servers = servers;
    this.#known = known;
    this.#lines = lines;
  }

  opened(server: string): void {
    this.#failures.delete(server);
  }

  failed(server: string, error: Error): void {
    this.#failures.set(server, error);
  }

  /** In config order. */
  list(): ServerState[] {
    return this.#servers.map(({ name, transport, disabled }): ServerState => {
      if (disabled) return { name, transport, state: 'disabled' };
      const revision = this.#known.get(name)?.revision;
      const eraReason = this.#connectors.get(name)?.modernForAll;
      const failure = this.#failures.get(name);
      const state = this.#lines.isOpen(name) ? 'ready' : failure === undefined ? 'idle' : 'failed';
      return {
        name,
        transport,
        state,
        ...(revision !== undefined && { era: isLegacy(revision) ? 'legacy' : 'modern', revision }),
        ...(eraReason !== undefined && { eraReason }),
        ...(state === 'failed' && failure !== undefined && { error: errorOf(failure) }),
      };
    });
  }
}

function errorOf(failure: Error): NonNullable<ServerState['error']> {
  const { code, hint } = isMcpxError(failure) ? failure : { code: 'bug', hint: undefined };
  return { code, message: messageOf(failure), ...(hint !== undefined && { hint }) };
}
