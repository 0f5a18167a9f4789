// SSE streams that break: resumed with Last-Event-ID, every question seen once, and never two GET streams at a time.
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { AskerGone } from '../../src/upstream/questions.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import { type Answer, event, type Hit, httpDouble, question, result, sse } from './http-double.ts';
import { httpServer, open, textOf } from './open.ts';

const isCall = ({ message }: Hit): boolean => message.method === 'tools/call';
const isGet = ({ method }: Hit): boolean => method === 'GET';
const isResume = (hit: Hit): boolean => isGet(hit) && hit.headers['last-event-id'] !== undefined;

/** Sends `text` on the stream, then breaks the connection. */
const breakAfter = (res: ServerResponse, text: string): boolean => sse(res).write(text, () => res.destroy());

test('a stream that breaks is resumed after the last event, and a question told again is seen once', async () => {
  const { url, hits } = await httpDouble((hit, res) => {
    const asked = event(question('q-1'), 'e-2');
    if (isCall(hit)) return breakAfter(res, `retry: 5\n${event('', 'e-1')}${asked}`);
    if (!isResume(hit)) return false;
    // This server repeats itself; the first time it also breaks again.
    if (hits.filter(isResume).length === 1) return breakAfter(res, asked);
    return sse(res).end(asked + event(result(2), 'e-3'));
  });
  const { call, question: asked, questions } = await open(httpServer(url));
  const reply = call('ask', {}, 'ticket');
  const first = await asked();
  expect(await first.reply({ result: '{"action":"decline"}' })).toBe(true);
  expect(textOf(await reply)).toBe('done');
  expect(questions).toHaveLength(1);
  expect(first.origin).toBe('ticket');
  expect(hits.filter(isResume).map(({ headers }) => headers['last-event-id'])).toEqual(['e-2', 'e-2']);
  expect(hits.filter(isResume)[0]?.headers).toMatchObject({
    accept: 'text/event-stream',
    'mcp-session-id': 'session-1',
  });
});

test('what first comes on a resumed stream carries the ticket too', async () => {
  const { url } = await httpDouble((hit, res) => {
    if (isCall(hit)) return sse(res).end(`retry: 5\n${event('', 'e-1')}`);
    return isResume(hit) && sse(res).end(event(question('q-1'), 'e-2') + event(result(2), 'e-3'));
  });
  const { call, question: asked } = await open(httpServer(url));
  expect(textOf(await call('ask', {}, 'ticket'))).toBe('done');
  expect((await asked()).origin).toBe('ticket');
});

test('the server says how long to wait', async () => {
  const clock = fakeClock();
  const { url, hits, hit } = await httpDouble((hit, res) => {
    if (isCall(hit)) return sse(res).end(`retry: 7000\n${event('', 'e-1')}`);
    return isResume(hit) && sse(res).end(event(result(2)));
  });
  const { call } = await open(httpServer(url), { clock });
  const reply = call('x');
  const ended = await hit('the call', isCall);
  await until('the end of its stream', () => ended.res.writableFinished && clock.timers > 0);
  clock.advance(6_999);
  expect(hits.filter(isResume)).toEqual([]);
  clock.advance(1);
  expect(textOf(await reply)).toBe('done');
});

test('a stream without event ids cannot be resumed: its call fails at once', async () => {
  const { url, hits } = await httpDouble(
    (hit, res) => isCall(hit) && breakAfter(res, event(question('q-1'))),
  );
  const { call } = await open(httpServer(url));
  await expect(call('x')).rejects.toThrow('linear: the stream ended before the reply');
  expect(hits.filter(isResume)).toEqual([]);
});

test('a server that does not resume fails the call', async () => {
  const { url } = await httpDouble(
    (hit, res) => isCall(hit) && sse(res).end(`retry: 1\n${event('', 'e-1')}`),
  );
  const { call } = await open(httpServer(url));
  await expect(call('x')).rejects.toThrow('linear: the stream broke off, and the server does not resume it');
});

test('C14: 409 and 503 are tried again, ever more slowly, and given up in the end', async () => {
  const clock = fakeClock();
  const { url, hits } = await httpDouble((hit, res) => {
    if (isCall(hit)) return sse(res).end(event('', 'e-1'));
    return isResume(hit) && res.writeHead(hits.filter(isResume).length % 2 === 0 ? 409 : 503).end();
  });
  const { call } = await open(httpServer(url), { clock });
  const failed = expect(call('x')).rejects.toThrow(/^linear: answered HTTP 409/);
  const waits: number[] = [];
  for (let n = 1; n <= 8; n += 1) {
    await until('the next wait', () => clock.timers > 0 && hits.filter(isResume).length === n - 1);
    let waited = 0;
    for (; clock.timers > 0; waited += 500) clock.advance(500);
    waits.push(waited);
    await until('the next try', () => hits.filter(isResume).length === n);
  }
  await failed;
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

test('a call that is cancelled while its stream is down is not resumed', async () => {
  const clock = fakeClock();
  const { url, hits, sent } = await httpDouble((hit, res) => isCall(hit) && sse(res).end(event('', 'e-1')));
  const { call } = await open(httpServer(url), { clock });
  const stop = new AbortController();
  const failed = expect(call('x', {}, 't', stop.signal)).rejects.toBe('enough');
  await until('the wait', () => clock.timers > 0);
  stop.abort('enough');
  await failed;
  await sent('notifications/cancelled');
  await until('no wait', () => clock.timers === 0);
  expect(hits.filter(isResume)).toEqual([]);
});

test('a stream that the server keeps open after the reply is closed after a while', async () => {
  const clock = fakeClock();
  const { url, hit } = await httpDouble((hit, res) => isCall(hit) && sse(res).write(event(result(2))));
  const { call } = await open(httpServer(url), { clock });
  expect(textOf(await call('x'))).toBe('done');
  const kept = await hit('the call', isCall);
  expect(kept.gone).toBe(false);
  clock.advance(2_000);
  await until('its end', () => kept.gone);
});

test('a server without a GET stream is asked for it once', async () => {
  const { url, hits } = await httpDouble();
  const { call } = await open(httpServer(url));
  await call('x');
  await call('y');
  expect(hits.filter(isGet)).toHaveLength(1);
});

test('C14: the GET stream is opened again after the last event, and there is never a second one', async () => {
  let streams = 0;
  let most = 0;
  const listen: Answer = (hit, res) => {
    if (!isGet(hit)) return false;
    streams += 1;
    most = Math.max(most, streams);
    res.on('close', () => {
      streams -= 1;
    });
    if (hit.headers['last-event-id'] === undefined) {
      return breakAfter(res, `retry: 5\n${event(question('q-1'), 'g-1')}`);
    }
    return sse(res).write(event(question('q-1'), 'g-1') + event(question('q-2'), 'g-2'));
  };
  const { url, hits } = await httpDouble(listen);
  const { call, question: asked, questions } = await open(httpServer(url));
  await asked(1);
  await call('x');
  expect(questions.map(({ id, origin }) => [id, origin])).toEqual([
    ['"q-1"', undefined],
    ['"q-2"', undefined],
  ]);
  expect(hits.filter(isGet).map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'g-1']);
  expect(most).toBe(1);
});

test('a GET stream that ends at once with nothing on it is asked for ever more seldom', async () => {
  const clock = fakeClock();
  const { url, hits } = await httpDouble((hit, res) => isGet(hit) && sse(res).end());
  await open(httpServer(url), { clock });
  const waits: number[] = [];
  for (let n = 1; n <= 4; n += 1) {
    await until('the next wait', () => clock.timers > 0 && hits.filter(isGet).length === n);
    let waited = 0;
    for (; clock.timers > 0; waited += 500) clock.advance(500);
    waits.push(waited);
  }
  expect(waits).toEqual([2000, 4000, 8000, 16_000]);
});

test('a GET stream that was given up is opened again with the next request', async () => {
  const clock = fakeClock();
  let down = false;
  const { url, hits } = await httpDouble((hit, res) => {
    if (!isGet(hit)) return false;
    if (down) return res.destroy();
    down = true;
    return sse(res).end();
  });
  const { call, log } = await open(httpServer(url), { clock });
  await until('the GET stream to be given up', async () => {
    await clock.pass(30_000, 30_000);
    return log.lines.some(({ message }) => message.startsWith('lost the GET stream'));
  });
  const tries = hits.filter(isGet).length;
  down = false;
  await call('x');
  await until('the next try', () => hits.filter(isGet).length > tries);
});

test('opening does not wait for a GET stream whose headers do not come', async () => {
  const clock = fakeClock();
  const { url, hit } = await httpDouble(({ method }) => method === 'GET');
  const opening = open(httpServer(url), { clock });
  await hit('the GET', isGet);
  await until('both timers', () => clock.timers === 2);
  clock.advance(300);
  const { connection } = await opening;
  expect(connection.closed).toBe(false);
});

test('a question on the GET stream is heard even when it is sent before anything else happens', async () => {
  const { url } = await httpDouble((hit, res) => isGet(hit) && sse(res).write(event(question('at once'))));
  const { question: asked } = await open(httpServer(url));
  expect((await asked()).id).toBe('"at once"');
});

test('a server that is gone fails the call after a short while, and what it asked is lost', async () => {
  const { url, end } = await httpDouble(
    (hit, res) => isCall(hit) && sse(res).write(`retry: 5\n${event(question('q-1'), 'e-1')}`),
  );
  const { call, question: asked } = await open(httpServer(url));
  const reply = call('ask');
  reply.catch(() => {});
  const { signal } = await asked();
  end();
  await expect(reply).rejects.toThrow('linear: no connection to');
  expect(signal.reason).toBeInstanceOf(AskerGone);
});
