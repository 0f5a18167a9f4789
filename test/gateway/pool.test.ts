// Channels of one server: how many there may be, who gets one next, and which one.
import { expect, test } from 'vitest';
import { Channel } from '../../src/gateway/channels/channel.ts';
import { Pool } from '../../src/gateway/channels/lease-pool.ts';
import type { Requester } from '../../src/gateway/requesters.ts';
import { LoneRequester, SessionRequester, silentSession } from '../../src/gateway/requesters.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { FACTS, turn } from './modern/support.ts';

const NEVER = new AbortController().signal;

interface Bench {
  readonly pool: Pool;
  readonly clock: FakeClock;
  /** Why channels were closed, in order. */
  readonly closed: string[];
  readonly made: Channel[];
  /** The hosts that lost their channels, in order. */
  readonly reclaimed: Requester[];
}

function bench(most: number): Bench {
  const clock = fakeClock();
  const closed: string[] = [];
  const made: Channel[] = [];
  const reclaimed: Requester[] = [];
  const pool = new Pool({
    server: 'one',
    most,
    clock,
    onReclaim: (_line, loser) => reclaimed.push(loser),
    make() {
      const channel = new Channel({
        connector: {
          server: 'one',
          transport: 'stdio',
          open: () => Promise.reject(new Error('never opened')),
        },
        shared: false,
        capabilities: '{}',
        prefer: 'legacy',
        events: { onRequest() {}, onNotification() {}, onReady() {}, onFailed() {}, onClosed() {} },
        urlEffects: { complete() {}, notify() {} } as never,
        now: () => clock.monotonic(),
      });
      channel.ending.addEventListener('abort', () =>
        closed.push(String((channel.ending.reason as Error).message)),
      );
      made.push(channel);
      return channel;
    },
  });
  return { pool, clock, closed, made, reclaimed };
}

const host = (stateless = true, isParked?: () => boolean): Requester =>
  stateless
    ? new LoneRequester(silentSession(FACTS, NEVER), isParked ? { isParked } : {})
    : new SessionRequester(silentSession(FACTS, NEVER));

/** Takes, and notes when it was given what. */
function taking(
  pool: Pool,
  key = 'k',
  signal = NEVER,
): { given: Channel | undefined; done: Promise<Channel> } {
  const it: { given: Channel | undefined; done: Promise<Channel> } = {
    given: undefined,
    done: pool.take(host(), key, signal),
  };
  it.done.then(
    (channel) => {
      it.given = channel;
    },
    () => {},
  );
  return it;
}

test('there are never more than the limit; those that wait are served in the order of their coming', async () => {
  const { pool, made } = bench(2);
  const channels = [await pool.take(host(), 'k', NEVER), await pool.take(host(), 'k', NEVER)];
  const waiting = [taking(pool), taking(pool), taking(pool)];
  await turn();
  expect(waiting.map(({ given }) => given)).toEqual([undefined, undefined, undefined]);
  await pool.release(channels[1] as Channel, 'k', 'done');
  await turn();
  expect(waiting.map(({ given }) => given)).toEqual([channels[1], undefined, undefined]);
  await pool.release(channels[0] as Channel, 'k', 'done');
  await turn();
  expect(waiting.map(({ given }) => given)).toEqual([channels[1], channels[0], undefined]);
  await pool.release(channels[0] as Channel, 'k', 'done');
  expect(await waiting[2]?.done).toBe(channels[0]);
  expect(made).toHaveLength(2);
});

test('two releases in one turn serve two that wait, and nobody overtakes them', async () => {
  const { pool } = bench(2);
  const channels = [await pool.take(host(), 'k', NEVER), await pool.take(host(), 'k', NEVER)];
  const early = [taking(pool), taking(pool)];
  await turn();
  void pool.release(channels[0] as Channel, 'k', 'done');
  void pool.release(channels[1] as Channel, 'k', 'done');
  const late = taking(pool);
  await turn();
  await turn();
  expect(early.map(({ given }) => given !== undefined)).toEqual([true, true]);
  expect(late.given).toBeUndefined();
});

test('an idle channel goes to the next host of the same key, the most recently used first', async () => {
  const { pool, made } = bench(5);
  const [a, b, c] = [
    await pool.take(host(), 'k', NEVER),
    await pool.take(host(), 'k', NEVER),
    await pool.take(host(), 'other', NEVER),
  ];
  await pool.release(a, 'k', 'done');
  await pool.release(b, 'k', 'done');
  await pool.release(c, 'other', 'done');
  expect(await pool.take(host(), 'k', NEVER)).toBe(b);
  expect(await pool.take(host(), 'k', NEVER)).toBe(a);
  expect(await pool.take(host(), 'k', NEVER)).not.toBe(c);
  expect(made).toHaveLength(4);
});

test('another key never gets it: the oldest idle channel is ended to make room', async () => {
  const { pool, closed, made } = bench(1);
  const channel = await pool.take(host(), 'k', NEVER);
  await pool.release(channel, 'k', 'done');
  const other = await pool.take(host(), 'other', NEVER);
  expect(other).not.toBe(channel);
  expect(closed).toEqual(['another host needs its place']);
  expect(made).toHaveLength(2);
});

test('a session takes a fresh channel, and its channel is closed with it', async () => {
  const { pool, closed } = bench(3);
  const leased = await pool.take(host(), 'k', NEVER);
  await pool.release(leased, 'k', 'done');
  const own = await pool.take(host(false), 'k', NEVER);
  expect(own).not.toBe(leased);
  await pool.release(own, undefined, 'the session is over');
  expect(closed).toEqual(['the session is over']);
});

test('an idle channel is ended after a minute', async () => {
  const { pool, clock, closed } = bench(3);
  await pool.release(await pool.take(host(), 'k', NEVER), 'k', 'done');
  clock.advance(59_999);
  expect(closed).toEqual([]);
  clock.advance(1);
  expect(closed).toEqual(['it was idle']);
  expect(pool.channels).toEqual([]);
});

test('where every channel is held by a parked call, a new call is refused and the limit named', async () => {
  const { pool } = bench(2);
  let parked = 2;
  const holders = [host(true, () => parked > 0), host(true, () => parked > 1)];
  for (const one of holders) await pool.take(one, 'k', NEVER);
  await expect(pool.take(host(), 'k', NEVER)).rejects.toThrow(
    'all 2 channels of one (limits.channels) are held by calls that wait for their hosts',
  );
  parked = 1;
  const waiting = taking(pool);
  await turn();
  expect(waiting.given).toBeUndefined();
});

test('one that gives up waiting leaves its turn to the next', async () => {
  const { pool } = bench(1);
  const channel = await pool.take(host(), 'k', NEVER);
  const gone = new AbortController();
  const [first, second] = [taking(pool, 'k', gone.signal), taking(pool)];
  gone.abort(new Error('gone'));
  await expect(first.done).rejects.toThrow('gone');
  await pool.release(channel, 'k', 'done');
  expect(await second.done).toBe(channel);
});

test('one that goes just as its turn comes leaves the channel to the next', async () => {
  const { pool } = bench(1);
  const channel = await pool.take(host(), 'k', NEVER);
  const gone = new AbortController();
  const [first, second] = [taking(pool, 'k', gone.signal), taking(pool)];
  await turn();
  void pool.release(channel, 'k', 'done');
  gone.abort(new Error('gone'));
  await first.done.catch(() => {});
  if (first.given) void pool.release(first.given, 'k', 'done');
  expect(await second.done).toBe(channel);
});

test('a session that has not called for a minute loses its channel to one that waits, the longest silent first', async () => {
  const { pool, clock, closed, reclaimed } = bench(2);
  const [silent, busy] = [host(false), host(false)];
  const channels = [await pool.take(silent, 'k', NEVER), await pool.take(busy, 'k', NEVER)];
  const waiting = taking(pool);
  await turn();
  expect(waiting.given).toBeUndefined();
  // The other one calls now and then; nobody gives a channel back meanwhile.
  for (let minute = 0; minute < 2; minute += 1) {
    clock.advance(59_000);
    (channels[1] as Channel).lastUsed = clock.now();
    clock.advance(2_000);
    await turn();
  }
  expect(await waiting.done).not.toBe(channels[0]);
  expect(reclaimed).toEqual([silent]);
  expect(closed).toEqual(['another host needs its place']);
});
