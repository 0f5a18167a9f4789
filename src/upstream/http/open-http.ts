// Opens a connection to a URL: the modern endpoint, Streamable HTTP with sessions, or the older HTTP+SSE.
import type { Agent } from 'undici';
import type { Clock } from '../../clock.ts';
import type { ServerConfig } from '../../config/types.ts';
import { isMcpxError, messageOf } from '../../errors.ts';
import { type ChannelDeps, type Greeting, legacyGreeting, openChannel } from '../connection.ts';
import type { Attempt, Found } from '../eras.ts';
import { InitializeRefused } from '../handshake.ts';
import type { Arrivals } from '../inflow.ts';
import { discover, isModernCode, NotModern } from '../modern/discover.ts';
import type { Connection, ConnectionOptions, Era } from '../types.ts';
import { HttpClient, splitHeaders } from './http-client.ts';
import { isAccess } from './http-error.ts';
import { HttpTransport } from './http-transport.ts';
import { ModernTransport } from './modern-transport.ts';
import { NotOlder, SseTransport } from './sse-transport.ts';

export type HttpConfig = Extract<ServerConfig, { transport: 'http' }>;

/** Statuses after which a server may still speak HTTP+SSE (basic/transports, "Backwards Compatibility"). */
const OLDER = new Set([400, 404, 405]);

export async function openHttp(
  config: HttpConfig,
  agent: Agent,
  arrivals: Arrivals,
  attempt: Attempt,
  found: Found,
  options: ConnectionOptions,
  deps: ChannelDeps,
): Promise<Connection> {
  const { headers } = splitHeaders(config.headers);
  const client = new HttpClient(config.name, new URL(config.url), headers, agent, arrivals);
  const inEra = (era: Era): Promise<Connection> =>
    era === 'modern' ? openModern(client, options, deps) : openLegacy(client, found, options, deps);
  try {
    return await inEra(attempt.first);
  } catch (refusal) {
    if (!attempt.fallback || options.signal.aborted || !isRefusal(refusal)) throw refusal;
    if (!(refusal instanceof NotModern && refusal.silent)) found.note(attempt.first, false);
    try {
      return await inEra(attempt.first === 'modern' ? 'legacy' : 'modern');
    } catch (error) {
      // What a server without the modern era has to say about it helps nobody.
      throw error instanceof NotModern ? refusal : error;
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof NotModern || error instanceof InitializeRefused;
}

function openModern(client: HttpClient, options: ConnectionOptions, deps: ChannelDeps): Promise<Connection> {
  let refusedWith = (): number | undefined => undefined;
  return openChannel(
    {
      http: true,
      greeting: httpGreeting(client.server, deps.clock, () => refusedWith()),
      connect: (sink) => {
        const transport = new ModernTransport(sink, client, deps.clock);
        refusedWith = () => transport.refusedWith;
        return transport;
      },
    },
    options,
    deps,
  );
}

async function openLegacy(
  client: HttpClient,
  found: Found,
  options: ConnectionOptions,
  deps: ChannelDeps,
): Promise<Connection> {
  const opening = { greeting: legacyGreeting, http: true };
  let refusedWith = (): number | undefined => undefined;
  let hasSession = (): boolean => true;
  const streamable = openChannel(
    {
      ...opening,
      connect: (sink) => {
        const transport = new HttpTransport(sink, { client, clock: deps.clock, log: deps.log });
        refusedWith = () => transport.refusedWith;
        hasSession = () => transport.hasSession;
        return transport;
      },
    },
    options,
    deps,
  );
  try {
    const connection = await streamable;
    found.sessionless = !hasSession();
    return connection;
  } catch (error) {
    const status = refusedWith() ?? 0;
    const refusal = asRefusal(error, status);
    const isModern = refusal instanceof InitializeRefused && isModernCode(refusal.rpcCode);
    if (!OLDER.has(status) || isModern || options.signal.aborted) throw refusal;
    try {
      return await openChannel(
        { ...opening, connect: (sink) => new SseTransport(sink, client, deps.clock) },
        options,
        deps,
      );
    } catch (older) {
      // The older transport was a guess: where it is not there, the first refusal is the one to show.
      throw older instanceof Error && older.cause instanceof NotOlder ? refusal : older;
    }
  }
}

/** A status of the server's own making refuses `initialize`; credentials and the like are no question of eras. */
function asRefusal(error: unknown, status: number): unknown {
  if (error instanceof InitializeRefused || !isMcpxError(error) || status < 400 || isAccess(status))
    return error;
  return new InitializeRefused(error.message, error.hint, undefined);
}

/** How long a server may leave server/discover without an answer before it is taken for one that knows no such thing. */
const SILENCE_MS = 10_000;

/** `refusedWith` gives the status of a response that was no reply. */
export function httpGreeting(server: string, clock: Clock, refusedWith: () => number | undefined): Greeting {
  return {
    asks: 'server/discover',
    async greet(engine, _transport, handshake) {
      const patience = new AbortController();
      const timer = clock.after(SILENCE_MS, () =>
        patience.abort(new NotModern(server, 'no answer to server/discover', true)),
      );
      const signal = AbortSignal.any([handshake.signal, patience.signal]);
      try {
        return await discover(engine, { ...handshake, signal });
      } catch (error) {
        const status = refusedWith();
        if (error instanceof NotModern || status === undefined || isAccess(status)) throw error;
        throw new NotModern(server, messageOf(error));
      } finally {
        timer.cancel();
      }
    },
  };
}
