// Opens a connection over any transport: start, handshake, and what the relay gets to hold.
import type { Clock } from '../clock.ts';
import { isMcpxError, McpxError, messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { isLegacy } from '../protocol/revisions.ts';
import { Engine } from './engine.ts';
import { type Handshake, shakeHands } from './handshake.ts';
import { ModernPeer } from './modern/modern-peer.ts';
import type { Sink, Transport } from './transport.ts';
import type { Connection, ConnectionOptions, UpstreamInfo } from './types.ts';

/** How long a server may take to start and to answer `initialize`, in milliseconds. */
export const START_UP_MS = 30_000;

export interface ChannelDeps {
  readonly server: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly clientVersion: string;
}

/** What mcpx says first, and makes of the answer. */
export interface Greeting {
  /** The methods that are waited for, for people. */
  readonly asks: string;
  greet(engine: Engine, transport: Transport, handshake: Handshake): Promise<UpstreamInfo>;
}

export const legacyGreeting: Greeting = { asks: 'initialize', greet: shakeHands };

/** What a connection is opened with beside what the caller gives. */
export interface Opening {
  connect(sink: Sink): Transport;
  readonly greeting: Greeting;
  /** Whether requests have HTTP headers and response streams of their own. */
  readonly http: boolean;
}

/**
 * Resolves with a connection that is ready. Otherwise the transport is closed and the rejection is a McpxError that names
 * the server, or the caller's own `signal.reason`; `onClosed` is then not called.
 */
export async function openChannel(
  { connect, greeting, http }: Opening,
  { capabilities, handlers, signal }: ConnectionOptions,
  deps: ChannelDeps,
): Promise<Connection> {
  const { server, log, clientVersion } = deps;
  let opened = false;
  let info: UpstreamInfo;
  let peer: ModernPeer | undefined;
  const ending = new AbortController();
  const end = (reason: string): void => {
    if (engine.hasEnded) return;
    engine.end(reason);
    ending.abort(new McpxError('upstream', `${server}: ${reason}`));
    if (opened) handlers.onClosed(reason);
  };
  const transport = connect({
    receive: (text, source) => engine.receive(text, source),
    taken: () => engine.taken(),
    overlong: (frame, limit, source) => engine.overlong(frame, limit, source),
    awaiting: (id) => engine.awaiting(id),
    scopeEnded: (scope, reason) => engine.scopeEnded(scope, reason),
    renew: async () => {
      info = await inTime(deps, 'initialize', undefined, greet);
    },
    doubted: () => peer?.doubted(),
    closed: end,
  });
  const engine = new Engine(server, transport, handlers, log);
  const greet = (within: AbortSignal): Promise<UpstreamInfo> =>
    greeting.greet(engine, transport, { server, capabilities, clientVersion, signal: within });
  try {
    info = await inTime(deps, greeting.asks, signal, async (within) => {
      await transport.start();
      return greet(within);
    });
    opened = true;
  } catch (error) {
    const failure = signal.aborted ? signal.reason : withStderr(server, error, transport.stderrTail());
    end(messageOf(failure));
    await transport.close();
    throw failure;
  }
  if (!isLegacy(info.revision)) {
    peer = new ModernPeer({
      ...deps,
      engine,
      capabilities,
      handlers,
      http,
      ended: ending.signal,
      discover: greet,
      end(reason) {
        end(reason);
        void transport.close();
      },
    });
  }
  const speaker = peer ?? engine;
  return {
    server,
    get info() {
      return info;
    },
    request: (method, params, options) => speaker.request(method, params, options),
    notify: (method, params) => speaker.notify(method, params),
    ...(peer && { subscribe: peer.subscribe.bind(peer) }),
    regulate: (regulation) => transport.regulate(regulation),
    stderrTail: () => transport.stderrTail(),
    get closed() {
      return engine.hasEnded;
    },
    close(reason) {
      end(reason);
      return transport.close();
    },
  };
}

/** Gives `run` the start-up time, and gives up with it when `outer` aborts. */
async function inTime<T>(
  { server, clock }: ChannelDeps,
  asked: string,
  outer: AbortSignal | undefined,
  run: (within: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const limit = new AbortController();
  const giveUp = (): void => limit.abort(outer?.reason);
  outer?.addEventListener('abort', giveUp, { once: true });
  const timer = clock.after(START_UP_MS, () => {
    const message = `${server}: no answer to ${asked} within ${START_UP_MS / 1000} s`;
    limit.abort(new McpxError('unreachable', message, 'Run the server by hand to see what it waits for.'));
  });
  try {
    return await new Promise<T>((resolve, reject) => {
      limit.signal.addEventListener('abort', () => reject(limit.signal.reason), { once: true });
      run(limit.signal).then(resolve, reject);
    });
  } finally {
    timer.cancel();
    outer?.removeEventListener('abort', giveUp);
  }
}

/** What a process said before it failed is the best hint there is. */
function withStderr(server: string, error: unknown, stderr: string): McpxError {
  const known = isMcpxError(error)
    ? error
    : new McpxError('upstream', `${server}: ${messageOf(error)}`, undefined, { cause: error });
  if (stderr === '') return known;
  const hint = known.hint === undefined ? '' : `${known.hint}\n`;
  return new McpxError(known.code, known.message, `${hint}The last it wrote on stderr:\n${stderr}`, {
    cause: known,
  });
}
