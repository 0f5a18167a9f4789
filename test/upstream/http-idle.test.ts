// C14: streams on which nothing is said for as long as a person thinks.
import { afterEach, expect, test, vi } from 'vitest';
import { event, httpDouble, json, question, result, sse } from './http-double.ts';
import { httpServer, open, textOf } from './open.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('C14: ten silent minutes end neither a POST stream, nor the GET stream, nor a reply that is late', async () => {
  // The timers of the HTTP client run on setTimeout; faking that moves them, while the sockets stay real.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { url, hits, hit } = await httpDouble(({ method, message }, res) => {
    if (method === 'GET') return sse(res).write(event(question('on the GET stream')));
    if (message.params?.['name'] === 'stream') return sse(res).write(event(question('on the POST stream')));
    return message.params?.['name'] === 'late';
  });
  const { call, question: asked, questions } = await open(httpServer(url));
  const stream = call('stream');
  const late = call('late');
  await asked(1);
  const streaming = await hit('the stream', ({ message }) => message.params?.['name'] === 'stream');
  const waiting = await hit('the late call', ({ message }) => message.params?.['name'] === 'late');
  const listening = await hit('the GET stream', ({ method }) => method === 'GET');
  for (let second = 0; second < 600; second += 1) {
    vi.advanceTimersByTime(1000);
    if (second % 60 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect([streaming.gone, waiting.gone, listening.gone]).toEqual([false, false, false]);
  for (const one of questions) {
    expect(one.signal.aborted).toBe(false);
    expect(await one.reply({ result: '{"action":"accept","content":{}}' })).toBe(true);
  }
  streaming.res.end(event(result(streaming.message.id)));
  json(waiting.res, result(waiting.message.id));
  expect(textOf(await stream)).toBe('done');
  expect(textOf(await late)).toBe('done');
  expect(hits.filter(({ method }) => method === 'GET')).toHaveLength(1);
});
