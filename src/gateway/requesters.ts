// Who makes requests of the relay: a session of a host, or one request that stands alone. How the two differ is said here,
// and nowhere else.

import { McpxError } from '../errors.ts';
import type { Flow, HostFacts, HostSession, StatelessRequest } from '../host/types.ts';
import { jsonOf } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import type { Era } from '../upstream/types.ts';

export type Requester = SessionRequester | LoneRequester;

/** A session of a legacy host, for as long as it lasts. */
export class SessionRequester {
  readonly session: HostSession;
  /** The era that is tried first towards an upstream. */
  readonly prefers: Era = 'legacy';
  /** Its channels are its own until it ends. */
  readonly leases = false;
  /** A modern upstream's rounds are gone through on its behalf. */
  readonly takesRounds = false;
  /** Log messages reach it also before it has asked for any. */
  readonly hearsLogsUnasked = true;
  readonly parked = false;
  /** The params of the host's last `logging/setLevel`, given to each upstream that is opened afterwards. */
  logLevel: JsonText | undefined;
  /** Whether `initialize` has been answered: nothing may be sent to the host before. */
  welcomed = false;
  /** Servers that were still starting when this host listed, so that it is told once they are there. */
  readonly leftOut = new Set<string>();
  /** Subscribed resource URIs and the server each belongs to. */
  readonly subscriptions = new Map<string, string>();

  constructor(session: HostSession) {
    this.session = session;
  }

  /** How the host reads: while too much waits for it, its upstreams have to wait (C51). */
  get flow(): Flow | undefined {
    return this.session.flow;
  }
}

export interface LoneOptions {
  /** Whether whoever made it goes through a modern upstream's rounds; else mcpx does. */
  readonly takesRounds?: boolean;
  /** Says whether its one call waits for whoever made it to come back. */
  readonly isParked?: () => boolean;
  /** In the words of `logging/setLevel`. */
  readonly logLevel?: JsonText | undefined;
  /** How whoever made it reads what goes out for it. */
  readonly flow?: Flow | undefined;
}

/** One request of a stateless host, of the API, or of mcpx itself. */
export class LoneRequester {
  readonly session: HostSession;
  readonly prefers: Era = 'modern';
  /** Its channels are leased for this request, and go on to the next that may use them. */
  readonly leases = true;
  readonly takesRounds: boolean;
  /** It hears log messages only if it asked for them (2026-07-28 server/utilities/logging). */
  readonly hearsLogsUnasked = false;
  readonly flow: Flow | undefined;
  logLevel: JsonText | undefined;
  readonly welcomed = false;
  readonly leftOut = new Set<string>();
  readonly subscriptions = new Map<string, string>();
  readonly #isParked: () => boolean;

  constructor(session: HostSession, options: LoneOptions = {}) {
    this.session = session;
    this.takesRounds = options.takesRounds ?? true;
    this.logLevel = options.logLevel;
    this.flow = options.flow;
    this.#isParked = options.isParked ?? (() => false);
  }

  /** Whether its call waits, with no request of its host open, for the host to come back. */
  get parked(): boolean {
    return this.#isParked();
  }
}

/** The log level of a stateless request as `logging/setLevel` would have told it. */
export function levelOf({ logLevel }: StatelessRequest): JsonText | undefined {
  return logLevel === undefined ? undefined : jsonOf({ level: logLevel });
}

/** A session for one request: nobody can be asked through it. */
export function silentSession(facts: HostFacts, ended: AbortSignal): HostSession {
  return {
    id: 'stateless',
    facts,
    ended,
    request: () => Promise.reject(new McpxError('unreachable', 'this request cannot be interrupted')),
    reachable: () => false,
    notify: () => {},
  };
}
