// stdio upstreams: real processes, what they say and how they are read.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClock } from '../support/fake-clock.ts';
import { ROOT } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { double, fixture, open, resultOf, stdioServer, textOf, watcher } from './open.ts';

test('a call goes out, and its result comes back as it was written', async () => {
  const { connection, call } = await open(fixture());
  expect(connection.info.revision).toBe('2025-11-25');
  expect(connection.server).toBe('github');
  const text = '{"b":1.0,"a":12345678901234567890,"__proto__":{},"b":2}';
  expect(await call('raw-result', { result: text })).toEqual({ result: text });
  const error = '{"code":-32042,"message":"More info","data":{"x":1.0}}';
  expect(await call('fail', { error })).toEqual({ error });
});

test('mcpx says who it is, and offers the newest legacy revision', async () => {
  const { call } = await open(fixture(), { capabilities: '{"roots":{}}' });
  const journal = JSON.parse(textOf(await call('journal'))) as { text: string }[];
  expect(JSON.parse(journal[0]?.text ?? '')).toMatchObject({
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: { roots: {} },
      clientInfo: { name: 'mcpx', version: '0.0.0-test' },
    },
  });
  expect(JSON.parse(journal[1]?.text ?? '')).toEqual({ jsonrpc: '2.0', method: 'notifications/initialized' });
});

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'revision %s is taken',
  async (revision) => {
    const { connection, call } = await open(fixture('--revision', revision));
    expect(connection.info.revision).toBe(revision);
    expect(textOf(await call('slow'))).toBe('done');
  },
);

test.each([
  ['unknown-revision', 'github: answered revision 2029-01-01, which mcpx does not speak'],
  ['refuses', String.raw`github: refused initialize: no \u{1b}[2Jthanks`],
])('a server that %s is a clear error', async (fault, message) => {
  const seen = watcher();
  await expect(open(double(fault), { seen })).rejects.toMatchObject({ code: 'upstream', message });
  expect(seen.closed).toEqual([]);
});

test('replies find their requests, in whatever order they come', async () => {
  const { call } = await open(fixture());
  const order: number[] = [];
  const calls = Array.from({ length: 20 }, async (_, n) => {
    const reply = await call('slow', { gate: `gate ${n}` });
    order.push(n);
    return reply;
  });
  for (let n = 19; n >= 0; n -= 1) await call('release', { gate: `gate ${n}` });
  expect((await Promise.all(calls)).map(textOf)).toEqual(Array(20).fill('done'));
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => 19 - n));
});

test('a question arrives without an origin, and its answer goes back once under the same id', async () => {
  const { call, question } = await open(fixture('--string-ids'));
  const result = call('ask', { params: '{"message":"1.0?","requestedSchema":{"x":1.0}}' });
  const asked = await question();
  expect(asked).toMatchObject({ id: '"q-1"', method: 'elicitation/create', origin: undefined });
  expect(asked.params).toBe('{"message":"1.0?","requestedSchema":{"x":1.0}}');
  expect(await asked.reply({ result: '{"action":"accept","content":{"n":1.0}}' })).toBe(true);
  expect(await asked.reply({ result: '{"action":"decline"}' })).toBe(false);
  expect(textOf(await result)).toContain('{\\"action\\":\\"accept\\",\\"content\\":{\\"n\\":1.0}}');
  expect(asked.signal.aborted).toBe(false);
});

test('C15: number and string ids stay apart', async () => {
  const { call, question } = await open(fixture());
  const result = call('ask', { count: 2, ids: ['7', '"7"'] });
  await question(1);
  const number = await question(0);
  const string = await question(1);
  expect([number.id, string.id]).toEqual(['7', '"7"']);
  await string.reply({ result: '{"action":"decline"}' });
  await number.reply({ error: '{"code":-32601,"message":"no"}' });
  const { answers } = JSON.parse(textOf(await result)) as { answers: string[] };
  expect(answers).toEqual(['{"code":-32601,"message":"no"}', '{"action":"decline"}']);
});

test('questions before and right after the handshake are not lost', async () => {
  const { question } = await open(double('early'));
  expect((await question(0)).params).toContain('before');
  expect((await question(1)).params).toContain('after');
});

test('ping is answered by the connection itself', async () => {
  const { call, questions } = await open(fixture());
  expect(JSON.parse(textOf(await call('server-ping')))).toEqual({ answers: ['{}'] });
  expect(questions).toEqual([]);
});

test('C16: noise is skipped and said once, with the name of the server', async () => {
  const { call, log, question, questions } = await open(fixture('--noise', '--crlf'));
  const result = call('ask', { message: 'still here?' });
  await (await question()).reply({ result: '{"action":"decline"}' });
  expect(textOf(await result)).toContain('decline');
  expect(questions).toHaveLength(1);
  const warnings = log.lines.filter(({ level }) => level === 'warn');
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.fields).toMatchObject({ server: 'github', text: 'Server ready' });
});

test.each([1, 3])('C17: characters cut after every %i bytes stay whole', async (step) => {
  const { call, question } = await open(fixture('--split', String(step)));
  const message = 'Prüfe — 確認 🙂';
  const result = call('ask', { message });
  const asked = await question();
  expect(asked.params).toContain(message);
  await asked.reply({ result: JSON.stringify({ action: 'accept', content: { repo: message } }) });
  expect(textOf(await result)).toContain(message);
});

test('C18: stderr is drained, and a clean, bounded tail of it kept', async () => {
  const { connection, call, question, closed } = await open(fixture());
  const result = call('noise', { bytes: 262_144, ask: true });
  await (await question()).reply({ result: '{"action":"decline"}' });
  await result;
  await until('the end of stderr', () => connection.stderrTail().includes('131008'));
  const tail = connection.stderrTail();
  expect(tail.length).toBeLessThan(8192);
  expect(tail).not.toContain('\u001b');
  expect(tail).toContain(String.raw`\u{1b}[31mline`);
  expect(closed).toEqual([]);
});

test('an array of messages, as 2025-03-26 allows, is taken apart', async () => {
  const { call, question, notice } = await open(double('batch'));
  expect(resultOf(await call('anything'))).toEqual({ text: 'three' });
  expect((await question()).id).toBe('"b-1"');
  expect((await notice(({ method }) => method === 'notifications/message')).params).toContain('"one"');
});

test('a request that two readers could read in two ways is refused, not dispatched', async () => {
  const { call, notice, questions } = await open(double('twice'));
  void call('anything').catch(() => {});
  const refused = await notice(({ params }) => params?.includes('"id":5') === true);
  expect(JSON.parse(refused.params ?? '')).toMatchObject({ got: { id: 5, error: { code: -32600 } } });
  expect(questions).toEqual([]);
});

test('a broken reply fails its request instead of leaving it open', async () => {
  const { call } = await open(double('broken-reply'));
  await expect(call('anything')).rejects.toMatchObject({ code: 'upstream' });
});

test('C22: a question that is taken back aborts, and its late answer is not sent', async () => {
  const { call, question, notices } = await open(fixture());
  const result = call('ask-then-withdraw', { gate: 'asked', id: '"q-9"' });
  const asked = await question();
  await call('release', { gate: 'asked' });
  expect(textOf(await result)).toBe('withdrawn');
  expect(asked.signal.aborted).toBe(true);
  expect(asked.signal.reason).toBe('github took the question back: no longer needed');
  expect(await asked.reply({ result: '{"action":"accept","content":{}}' })).toBe(false);
  const journal = textOf(await call('journal'));
  expect(journal).not.toContain('accept');
  expect(notices).toEqual([]);
});

test('C22: a withdrawal that crosses the answer does nothing', async () => {
  const { call, question } = await open(fixture());
  const result = call('ask-then-withdraw', { cross: true });
  const asked = await question();
  expect(await asked.reply({ result: '{"action":"decline"}' })).toBe(true);
  expect(textOf(await result)).toBe('withdrawn');
  expect(asked.signal.aborted).toBe(false);
});

test('a cancelled request rejects with its reason, and the upstream is told', async () => {
  const { call, notice } = await open(double('none'));
  const stop = new AbortController();
  const reason = new Error('the host gave up');
  const never = call('slow', {}, 'ticket', AbortSignal.any([stop.signal]));
  stop.abort(reason);
  await expect(never).rejects.toBe(reason);
  const told = await notice(({ params }) => params?.includes('cancelled') === true);
  expect(JSON.parse(told.params ?? '')).toMatchObject({
    notice: { method: 'notifications/cancelled', params: { requestId: 2, reason: 'the host gave up' } },
  });
  await expect(call('x', {}, 'ticket', stop.signal)).rejects.toBe(reason);
});

test('a server that does not answer initialize is given up after 30 s', async () => {
  const clock = fakeClock();
  const opening = open(double('silent'), { clock });
  const failed = expect(opening).rejects.toMatchObject({
    code: 'unreachable',
    message: 'github: no answer to initialize within 30 s',
  });
  await until('the timer', () => clock.timers === 1);
  clock.advance(30_000);
  await failed;
});

test('opening is given up when its signal aborts', async () => {
  const stop = new AbortController();
  const clock = fakeClock();
  const failed = expect(open(double('silent'), { clock, signal: stop.signal })).rejects.toBe('enough');
  await until('the timer', () => clock.timers === 1);
  stop.abort('enough');
  await failed;
});

test.each([
  [
    { command: 'no-such-command-anywhere' },
    /^github: cannot start "no-such-command-anywhere": there is no such/,
  ],
  [{ cwd: '/no/such/folder' }, /^github: the folder \/no\/such\/folder does not exist$/],
])('a server that cannot be started says what to mend: %o', async (more, message) => {
  const failure = await open(stdioServer(['-e', ''], more)).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'unreachable', message: expect.stringMatching(message) });
  expect((failure as { hint: string }).hint).toContain('mcpServers.github');
});

test('the environment is a short list and what is configured', async () => {
  process.env['MCPX_TOKEN'] = 'a secret';
  const config = stdioServer([join(ROOT, 'fixtures', 'stdio-double.mjs'), 'none'], { env: { TOKEN: 't' } });
  const { connection } = await open(config);
  const reply = await connection.request('tools/call', '{"name":"environment"}', {
    signal: new AbortController().signal,
  });
  delete process.env['MCPX_TOKEN'];
  const env = resultOf(reply) as Record<string, string>;
  expect(env).toMatchObject({ TOKEN: 't', PATH: process.env['PATH'] });
  expect(env).not.toHaveProperty('MCPX_TOKEN');
});
