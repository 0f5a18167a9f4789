// HTTP sessions: begun again once when the server has forgotten them, and what becomes of what was open.
import { expect, test } from 'vitest';
import { AskerGone } from '../../src/upstream/questions.ts';
import { until } from '../support/until.ts';
import { type Answer, event, httpDouble, json, question, result, sse } from './http-double.ts';
import { httpServer, open, textOf } from './open.ts';

/** Refuses every session in `dead` the way `refuse` does. */
const forgetting =
  (dead: Set<string>, refuse: (res: Parameters<Answer>[1]) => unknown, more: Answer = () => false): Answer =>
  (hit, res) => {
    const session = hit.headers['mcp-session-id'];
    return typeof session === 'string' && dead.has(session) ? refuse(res) : more(hit, res);
  };

const notFound = (res: Parameters<Answer>[1]) => res.writeHead(404).end();

test.each<[string, (res: Parameters<Answer>[1]) => unknown]>([
  ['404', notFound],
  [
    '400 and a word on sessions',
    (res) =>
      json(res, { jsonrpc: '2.0', error: { code: -32000, message: 'No valid session ID' }, id: null }, 400),
  ],
])('after %s the session is begun again and the request sent once more', async (_, refuse) => {
  const dead = new Set<string>();
  const { url, hits, sent } = await httpDouble(forgetting(dead, refuse));
  const { connection, call } = await open(httpServer(url));
  await call('first');
  dead.add('session-1');
  expect(textOf(await call('second'))).toBe('done');
  const again = await sent('initialize', 1);
  expect(again.headers).not.toHaveProperty('mcp-session-id');
  expect((await sent('notifications/initialized', 1)).headers['mcp-session-id']).toBe('session-2');
  expect((await sent('tools/call', 2)).headers['mcp-session-id']).toBe('session-2');
  expect(connection.closed).toBe(false);
  await connection.close('over');
  expect(hits.filter(({ message }) => message.method === 'tools/call')).toHaveLength(3);
  expect(
    hits.filter(({ method }) => method === 'DELETE').map(({ headers }) => headers['mcp-session-id']),
  ).toEqual(['session-2']);
});

test('many requests that find the session gone begin one new one between them', async () => {
  const dead = new Set<string>();
  const { url, hits } = await httpDouble(forgetting(dead, notFound));
  const { call } = await open(httpServer(url));
  dead.add('session-1');
  const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => call(`tool ${n}`)));
  expect(replies.map(textOf)).toEqual(Array(20).fill('done'));
  expect(hits.filter(({ message }) => message.method === 'initialize')).toHaveLength(2);
});

test('a server that forgets every session is given up after one new one', async () => {
  const { url, hits } = await httpDouble(
    ({ message }, res) => message.method === 'tools/call' && notFound(res),
  );
  const { call } = await open(httpServer(url));
  await expect(call('x')).rejects.toThrow('linear: forgot a session that it had just begun');
  expect(hits.filter(({ message }) => message.method === 'initialize')).toHaveLength(2);
});

test('404 without a session is only an error', async () => {
  const refuse: Answer = ({ message }, res) => message.method === 'tools/call' && notFound(res);
  const { url, hits } = await httpDouble(refuse, false);
  const { call } = await open(httpServer(url));
  await expect(call('x')).rejects.toMatchObject({ code: 'upstream', message: 'linear: answered HTTP 404' });
  expect(hits.filter(({ message }) => message.method === 'initialize')).toHaveLength(1);
});

test("the old session's open questions end, and answers to them are not sent to the new one", async () => {
  const dead = new Set<string>();
  const asking: Answer = ({ message }, res) =>
    message.params?.['name'] === 'ask' && sse(res).write(event(question(`${message.id}`)));
  const { url, hits } = await httpDouble(forgetting(dead, notFound, asking));
  const { call, question: asked } = await open(httpServer(url));
  call('ask').catch(() => {});
  const old = await asked(0);
  dead.add('session-1');
  await call('other');
  expect(old.signal.aborted).toBe(true);
  expect(old.signal.reason).toEqual(new AskerGone('linear ended the session in which it asked'));
  expect(await old.reply({ result: '{"action":"accept","content":{}}' })).toBe(false);
  call('ask').catch(() => {});
  const next = await asked(1);
  expect(next.signal.aborted).toBe(false);
  expect(await next.reply({ result: '{"action":"decline"}' })).toBe(true);
  expect(hits.filter(({ message }) => message.result !== undefined)).toHaveLength(1);
});

test('an answer that finds the session gone is not delivered, and the next request begins a new one', async () => {
  const dead = new Set<string>();
  const asking: Answer = ({ message }, res) =>
    message.params?.['name'] === 'ask' && sse(res).write(event(question(1)) + event(question(2)));
  const { url, hits } = await httpDouble(forgetting(dead, notFound, asking));
  const { call, question: asked } = await open(httpServer(url));
  call('ask').catch(() => {});
  const first = await asked(0);
  const second = await asked(1);
  dead.add('session-1');
  expect(await first.reply({ result: '{"action":"decline"}' })).toBe(false);
  expect(second.signal.aborted).toBe(true);
  expect(hits.filter(({ message }) => message.method === 'initialize')).toHaveLength(1);
  expect(textOf(await call('other'))).toBe('done');
});

test('a call whose stream cannot be resumed because the session is gone fails, and is not run twice', async () => {
  const dead = new Set<string>();
  const cutting: Answer = ({ message }, res) => {
    if (message.params?.['name'] !== 'cut') return false;
    return sse(res).write(`retry: 1\n${event('', 'e-1')}`, () => {
      dead.add('session-1');
      res.destroy();
    });
  };
  const { url, hits } = await httpDouble(forgetting(dead, notFound, cutting));
  const { call } = await open(httpServer(url));
  await expect(call('cut')).rejects.toThrow('linear: ended the session before it replied');
  expect(hits.filter(({ message }) => message.params?.['name'] === 'cut')).toHaveLength(1);
  expect(textOf(await call('other'))).toBe('done');
});

test('a handshake that fails the second time fails its request, and is tried again with the next', async () => {
  const dead = new Set<string>();
  let broken = false;
  const refusing: Answer = ({ message }, res) =>
    broken && message.method === 'initialize' && res.writeHead(500).end('starting');
  const { url } = await httpDouble(forgetting(dead, notFound, refusing));
  const { call } = await open(httpServer(url));
  dead.add('session-1');
  broken = true;
  await expect(call('x')).rejects.toThrow('linear: answered HTTP 500: starting');
  broken = false;
  expect(textOf(await call('x'))).toBe('done');
});

test('without sessions, ids are told apart by the stream they come on', async () => {
  const { url } = await httpDouble(
    ({ message }, res) => message.method === 'tools/call' && sse(res).write(event(question(0))),
    false,
  );
  const { call, questions } = await open(httpServer(url));
  for (const ticket of ['one', 'two']) call('ask', {}, ticket).catch(() => {});
  await until('both questions', () => questions.length === 2);
  expect(questions.map(({ origin }) => origin).sort()).toEqual(['one', 'two']);
  expect(await questions[0]?.reply({ result: '{"action":"cancel"}' })).toBe(true);
  expect(questions[1]?.signal.aborted).toBe(false);
});

test('the session is ended with a DELETE, which a server may refuse', async () => {
  const { url, hits } = await httpDouble(
    ({ method }, res) => method === 'DELETE' && res.writeHead(405).end(),
  );
  const { connection, closed } = await open(httpServer(url));
  await connection.close('over');
  expect(hits.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 'session-1' } });
  expect(closed).toEqual(['over']);
});

test('a result that says nothing of sessions stays a result', async () => {
  const { url } = await httpDouble(({ message }, res) => {
    return message.method === 'tools/call' && json(res, result(message.id, { content: [] }));
  });
  const { call } = await open(httpServer(url));
  expect(await call('x')).toEqual({ result: '{"content":[]}' });
});
