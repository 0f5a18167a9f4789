// How a stdio upstream ends: by itself, by a fault, or because mcpx ends it, and that nothing is left of it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AskerGone } from '../../src/upstream/questions.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { alive } from './alive.ts';
import { double, fixture, open, resultOf, textOf, watcher } from './open.ts';

const pidOf = async (call: (name: string, args?: unknown) => Promise<unknown>): Promise<number> =>
  (JSON.parse(textOf((await call('whoami')) as never)) as { pid: number }).pid;

test.each([
  ['exit', 'the process exited with code 9: out of memory'],
  ['kill-itself', 'the process was ended by SIGKILL'],
  ['closes-output', 'it closed its output'],
])('an upstream that goes away (%s) ends the connection with its reason', async (fault, reason) => {
  const { connection, call, closed } = await open(double(fault));
  await expect(call('anything')).rejects.toMatchObject({ code: 'upstream', message: `github: ${reason}` });
  expect(closed).toEqual([reason]);
  expect(connection.closed).toBe(true);
  await expect(call('again')).rejects.toMatchObject({ code: 'upstream', message: `github: ${reason}` });
  await expect(connection.notify('notifications/x', undefined)).rejects.toMatchObject({ code: 'upstream' });
});

test('an upstream that exits before it is ready is reported with what it wrote on stderr', async () => {
  const seen = watcher();
  const failure = await open(double('exit-at-once'), { seen }).catch((error: unknown) => error);
  const last = String.raw`no license \u{1b}[31mfound`;
  expect(failure).toMatchObject({
    code: 'upstream',
    message: `github: the process exited with code 3: ${last}`,
    hint: `The last it wrote on stderr:\nstarting\n${last}`,
  });
  expect(seen.closed).toEqual([]);
});

test('an open question aborts when the process dies', async () => {
  const { call, question, closed } = await open(fixture());
  const result = call('ask-and-die', { gate: 'asked' });
  const failed = expect(result).rejects.toMatchObject({ code: 'upstream' });
  const asked = await question();
  void call('release', { gate: 'asked' }).catch(() => {});
  await failed;
  expect(asked.signal.reason).toEqual(new AskerGone('the process exited with code 7'));
  expect(await asked.reply({ result: '{"action":"cancel"}' })).toBe(false);
  expect(closed).toEqual(['the process exited with code 7']);
});

test.each(['long-line', 'endless-line'])(
  'a line over the limit (%s) ends the connection and names it',
  async (fault) => {
    const { call, closed } = await open(double(fault), { frameBytes: 1_000_000 });
    await expect(call('anything')).rejects.toThrow('limits.frameBytes (1000000 bytes)');
    expect(closed).toHaveLength(1);
  },
);

test('a line of exactly the limit passes', async () => {
  const { call } = await open(fixture(), { frameBytes: 100_000 });
  const empty = (await call('raw-result', { result: '""' })) as { result: string };
  expect(empty.result).toBe('""');
  const envelope = '{"jsonrpc":"2.0","id":3,"result":""}'.length;
  const fits = JSON.stringify('x'.repeat(100_000 - envelope));
  expect(await call('raw-result', { result: fits })).toEqual({ result: fits });
});

test('an upstream that stops reading makes sends fail, and mcpx does not hoard', async () => {
  const { connection, call } = await open(double('stops-reading'), { frameBytes: 200_000 });
  void call('anything').catch(() => {});
  const params = JSON.stringify({ data: 'x'.repeat(100_000) });
  const sends = Array.from({ length: 20 }, () => connection.notify('notifications/x', params));
  const outcomes = Promise.allSettled(sends);
  await connection.close('enough');
  const refused = (await outcomes).filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(10);
});

test('close ends stdin, and a server that heeds it leaves by itself', async () => {
  const file = join(testScope().dir(), 'end');
  const { connection, closed } = await open(double('notes-end', file));
  await connection.close('no longer needed');
  expect(readFileSync(file, 'utf8')).toBe('ended by EOF');
  expect(closed).toEqual(['no longer needed']);
  await connection.close('again');
  expect(closed).toHaveLength(1);
});

test('close rejects what is open', async () => {
  const { connection, call, question } = await open(fixture());
  const result = call('ask');
  const asked = await question();
  const failed = expect(result).rejects.toMatchObject({ message: 'github: mcpx stops' });
  await connection.close('mcpx stops');
  await failed;
  expect(asked.signal.reason).toEqual(new AskerGone('mcpx stops'));
});

test('a server that does not heed the end of its input is ended by a signal', async () => {
  const { connection } = await open(double('ignore-eof'));
  const pid = resultOf(
    await connection.request('tools/call', '{"name":"pid"}', { signal: new AbortController().signal }),
  ) as number;
  expect(alive(pid)).toBe(true);
  await connection.close('enough');
  expect(alive(pid)).toBe(false);
});

test('what a crashed server started is ended too', async () => {
  const file = join(testScope().dir(), 'pid');
  const { connection, closed } = await open(double('family', file));
  const child = await until('the child', () => existsSync(file) && Number(readFileSync(file, 'utf8')));
  const leader = resultOf(
    await connection.request('tools/call', '{"name":"pid"}', { signal: new AbortController().signal }),
  ) as number;
  process.kill(leader, 'SIGKILL');
  await until('the end', () => closed[0]);
  await until('the end of its child', () => !alive(child));
});

test('a connection has a process of its own', async () => {
  const first = await open(fixture());
  const second = await open(fixture());
  expect(await pidOf(first.call)).not.toBe(await pidOf(second.call));
});
