// Finds out over one pipe which era a process speaks: both greetings may be on their way at once.
import type { Clock, Timer } from '../../clock.ts';
import type { Greeting } from '../connection.ts';
import type { Engine } from '../engine.ts';
import { type Handshake, InitializeRefused, shakeHands } from '../handshake.ts';
import { discover, NotModern } from '../modern/discover.ts';
import type { Transport } from '../transport.ts';
import type { Era, UpstreamInfo } from '../types.ts';

/** After so much silence on server/discover the older greeting is sent too, in milliseconds (docs/relay.md, "Which era towards an upstream"). */
export const SILENCE_MS = 2000;

export interface StdioGreetingOptions {
  readonly first: Era;
  readonly clock: Clock;
  /** Whether silence is enough to try the older greeting; not where the server is known to be modern. */
  readonly impatient: boolean;
  /** Told of each era that the server has answered with a refusal, and of one that it speaks beside that of the connection. */
  found(era: Era, speaks: boolean): void;
}

export function stdioGreeting(options: StdioGreetingOptions): Greeting {
  return {
    asks: options.first === 'modern' ? 'server/discover or initialize' : 'initialize',
    greet: (engine, transport, handshake) =>
      options.first === 'modern'
        ? modernFirst(engine, transport, handshake, options)
        : legacyFirst(engine, transport, handshake, options),
  };
}

async function legacyFirst(
  engine: Engine,
  transport: Transport,
  handshake: Handshake,
  { clock, found }: StdioGreetingOptions,
): Promise<UpstreamInfo> {
  try {
    return await shakeHands(engine, transport, handshake);
  } catch (refusal) {
    if (!(refusal instanceof InitializeRefused)) throw refusal;
    found('legacy', false);
    const discovered = await beforeSilence(orRefusal(discover(engine, handshake), NotModern), clock);
    if (discovered === undefined || discovered instanceof NotModern) throw refusal;
    return discovered;
  }
}

async function modernFirst(
  engine: Engine,
  transport: Transport,
  handshake: Handshake,
  { clock, found, impatient }: StdioGreetingOptions,
): Promise<UpstreamInfo> {
  const discovered = orRefusal(discover(engine, handshake), NotModern);
  const early = impatient ? await beforeSilence(discovered, clock) : await discovered;
  if (early instanceof NotModern) {
    found('modern', false);
    return shakeHands(engine, transport, handshake);
  }
  if (early !== undefined) return early;
  const enough = new AbortController();
  const signal = AbortSignal.any([handshake.signal, enough.signal]);
  const shaken = orRefusal(shakeHands(engine, transport, { ...handshake, signal }), InitializeRefused);
  const winner = await Promise.race([
    discovered.then((answer) => ({ era: 'modern' as const, answer })),
    shaken.then((answer) => ({ era: 'legacy' as const, answer })),
  ]);
  if (winner.answer instanceof Error) {
    found(winner.era, false);
    const other = await (winner.era === 'modern' ? shaken : discovered);
    if (!(other instanceof Error)) return other;
    throw winner.era === 'modern' ? other : winner.answer;
  }
  if (winner.era === 'legacy') return winner.answer;
  // A server that takes `initialize` too may serve nothing but that era on this pipe from then on (basic/versioning).
  found('modern', true);
  const taken = await beforeSilence(shaken, clock);
  if (taken !== undefined && !(taken instanceof Error)) return taken;
  enough.abort();
  return winner.answer;
}

/** A refusal as a value, so that a race tells which came first. */
function orRefusal<T, E extends Error>(
  promise: Promise<T>,
  kind: abstract new (...args: never[]) => E,
): Promise<T | E> {
  const told = promise.catch((error: unknown) => {
    if (error instanceof kind) return error;
    throw error;
  });
  // The loser of a race may fail when nobody looks any more.
  told.catch(() => {});
  return told;
}

/** Undefined where nothing has come in time. */
async function beforeSilence<T>(promise: Promise<T>, clock: Clock): Promise<T | undefined> {
  let timer: Timer | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = clock.after(SILENCE_MS, () => resolve(undefined));
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    timer?.cancel();
  }
}
