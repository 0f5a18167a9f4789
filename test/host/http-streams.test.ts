// Streams over HTTP: when a response becomes one, which one carries what, loss and resumption, keep-alive.
import { expect, test } from 'vitest';
import type { Exchange, HostSession } from '../../src/host/types.ts';
import { createHandler, type Serve } from '../support/host-handler.ts';
import { startProxy } from './proxy.ts';
import { eventually, type Json, openEndpoint, rpc, type Stream } from './support.ts';

const NOTE = 'notifications/message';
const note = (data: unknown) => JSON.stringify({ level: 'info', data });
const json = async (response: Response) => (await response.json()) as Json;

/** A method that stays open until the test says how it goes on. */
function held() {
  const calls: { exchange: Exchange; session: HostSession; finish: (result?: string) => void }[] = [];
  const serve: Serve = (exchange, session) =>
    new Promise((resolve) =>
      calls.push({ exchange, session, finish: (result = '{}') => resolve({ result }) }),
    );
  const call = async (index = 0) => {
    await eventually(() => calls.length).toBeGreaterThan(index);
    const found = calls[index];
    if (found === undefined) throw new Error('no such call');
    return found;
  };
  return { handler: createHandler({ held: serve }), call };
}

const HELD = (id: number | string = 1) => rpc({ id, method: 'held' });

test('a POST becomes a stream with the first thing to say, and ends with the response', async () => {
  const { handler, call } = held();
  const { open } = await openEndpoint({ handler });
  const session = await open('2025-06-18');
  const reading = session.stream(HELD());
  const { exchange, finish } = await call();
  expect(exchange.streams).toBe(true);
  exchange.notify(NOTE, note(1));
  const stream = await reading;
  expect(stream.response.headers.get('cache-control')).toContain('no-cache');
  const first = await stream.next();
  expect(first.data).toEqual({ jsonrpc: '2.0', method: NOTE, params: { level: 'info', data: 1 } });
  exchange.notify(NOTE, note(2));
  finish('{"done":1.0}');
  const second = await stream.next();
  const third = await stream.next();
  expect(third.data).toEqual({ jsonrpc: '2.0', id: 1, result: { done: 1 } });
  const [name] = first.id?.split('-') ?? [];
  expect([first.id, second.id, third.id]).toEqual([`${name}-1`, `${name}-2`, `${name}-3`]);
  expect(await stream.ended).toBe(true);
  exchange.notify(NOTE, note(3));
  expect(stream.left).toBe(0);
});

test.each([
  ['2024-11-05', false],
  ['2025-03-26', false],
  ['2025-06-18', false],
  ['2025-11-25', true],
])('a stream at %s starts with an empty event: %s', async (revision, primed) => {
  const { handler, call } = held();
  const { open } = await openEndpoint({ handler });
  const session = await open(revision);
  const reading = session.stream(HELD());
  const { exchange, finish } = await call();
  exchange.notify(NOTE, note(1));
  const stream = await reading;
  const first = await stream.next();
  expect(first.data === undefined).toBe(primed);
  if (primed) expect(first.id).toMatch(/-0$/);
  finish();
  await stream.ended;
});

test('a host that names streams first has one from the start, to come back to', async () => {
  const { open } = await openEndpoint({ handler: createHandler({ plain: () => ({ result: '{"n":1}' }) }) });
  const session = await open('2025-11-25');
  const accept = 'text/event-stream, application/json';
  const response = await session.post(rpc({ id: 1, method: 'plain' }), { accept });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const text = await response.text();
  expect(text).toMatch(/^id: \w+-0\nretry: 1000\ndata: \n\nid: \w+-1\nevent: message\ndata: \{"jsonrpc"/);
});

test('a question goes out on the POST of its call and is answered by another POST (ELI-15)', async () => {
  const { open } = await openEndpoint();
  const session = await open('2025-06-18');
  const get = await session.listen();
  const [a, b] = await Promise.all([
    session.stream(rpc({ id: 1, method: 'ask', params: { who: 'a' } })),
    session.stream(rpc({ id: 2, method: 'ask', params: { who: 'b' } })),
  ]);
  const [askedA, askedB] = [(await a.next()).data, (await b.next()).data];
  expect([askedA?.['params'], askedB?.['params']]).toEqual([{ who: 'a' }, { who: 'b' }]);
  const answers = [
    rpc({ id: askedB?.['id'], result: { action: 'accept', content: { x: 'b' } } }),
    rpc({ id: askedA?.['id'], result: { action: 'decline' } }),
  ];
  for (const answer of answers) expect((await session.post(answer)).status).toBe(202);
  expect((await b.next()).data).toMatchObject({
    id: 2,
    result: { result: '{"action":"accept","content":{"x":"b"}}' },
  });
  expect((await a.next()).data).toMatchObject({ id: 1, result: { result: '{"action":"decline"}' } });
  expect(get.left).toBe(0);
});

test('another session cannot answer', async () => {
  const { open } = await openEndpoint();
  const [mine, other] = [await open(), await open()];
  const stream = await mine.stream(rpc({ id: 1, method: 'ask', params: {} }));
  await stream.next();
  const question = (await stream.next()).data;
  expect((await other.post(rpc({ id: question?.['id'], result: { action: 'accept' } }))).status).toBe(202);
  await mine.post(rpc({ id: question?.['id'], result: { action: 'cancel' } }));
  expect((await stream.next()).data).toMatchObject({ result: { result: '{"action":"cancel"}' } });
});

test('a host that takes JSON only is asked on its GET stream, and without one it is unreachable', async () => {
  const { handler, call } = held();
  const { open } = await openEndpoint({ handler });
  const session = await open('2025-06-18');
  const posting = session.post(HELD(), { accept: 'application/json' });
  const { exchange, session: host, finish } = await call();
  const ask = () => host.request('elicitation/create', '{}', { signal: exchange.signal, via: exchange });
  expect(exchange.streams).toBe(false);
  expect(host.reachable(exchange)).toBe(false);
  await expect(ask()).rejects.toMatchObject({ code: 'unreachable' });
  exchange.notify(NOTE, note('dropped'));
  const get = await session.listen();
  expect(host.reachable(exchange)).toBe(true);
  const asked = ask();
  const question = (await get.next()).data;
  await session.post(rpc({ id: question?.['id'], result: { action: 'decline' } }));
  expect(await asked).toEqual({ result: '{"action":"decline"}' });
  finish();
  const response = await posting;
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await json(response)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
});

test('a host that takes streams only gets its response on one', async () => {
  const { open, post } = await openEndpoint();
  const session = await open('2025-06-18');
  const stream = await session.stream(rpc({ id: 1, method: 'echo', params: { x: 1 } }), {
    accept: 'text/event-stream',
  });
  expect((await stream.next()).data).toEqual({ jsonrpc: '2.0', id: 1, result: { x: 1 } });
  expect(await stream.ended).toBe(true);
  const first = await post(rpc({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18' } }), {
    accept: 'text/event-stream',
  });
  expect(first.headers.get('mcp-session-id')).toBeTruthy();
  expect(await first.text()).toContain('data: {"jsonrpc":"2.0","id":0,"result":');
});

test('a question of no call goes to the GET stream, else to the newest open POST', async () => {
  const { handler, call } = held();
  const { open } = await openEndpoint({ handler });
  const session = await open('2025-06-18');
  const { signal } = new AbortController();
  const older = session.stream(HELD(1));
  const { session: host, finish: finishOlder } = await call(0);
  const newer = session.stream(HELD(2));
  const { finish: finishNewer } = await call(1);
  const first = host.request('roots/list', undefined, { signal });
  const stream = await newer;
  const question = (await stream.next()).data;
  await session.post(rpc({ id: question?.['id'], result: { roots: [] } }));
  expect(await first).toEqual({ result: '{"roots":[]}' });
  host.notify('notifications/tools/list_changed', undefined);
  const get = await session.listen();
  host.notify('notifications/prompts/list_changed', undefined);
  const second = host.request('roots/list', undefined, { signal });
  expect((await get.next()).data).toMatchObject({ method: 'notifications/prompts/list_changed' });
  await session.post(rpc({ id: (await get.next()).data?.['id'], result: {} }));
  await second;
  finishNewer();
  finishOlder();
  expect((await stream.next()).data).toMatchObject({ id: 2 });
  await expect(older).rejects.toThrow('application/json');
});

test('a withdrawn question is taken back on its stream, ahead of the result', async () => {
  const { handler, call } = held();
  const { open } = await openEndpoint({ handler });
  const session = await open('2025-06-18');
  const reading = session.stream(HELD());
  const { exchange, session: host, finish } = await call();
  const stop = new AbortController();
  const asked = host.request('elicitation/create', '{}', { signal: stop.signal, via: exchange });
  stop.abort(new Error('answered elsewhere'));
  await expect(asked).rejects.toThrow('answered elsewhere');
  finish();
  const stream = await reading;
  const question = (await stream.next()).data;
  expect((await stream.next()).data).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: question?.['id'] },
  });
  expect((await stream.next()).data).toMatchObject({ id: 1, result: {} });
  expect((await session.post(rpc({ id: question?.['id'], result: { action: 'accept' } }))).status).toBe(202);
});

test('a cancelled call ends its stream with nothing more (C23)', async () => {
  const { open, handler } = await openEndpoint();
  const session = await open('2025-06-18');
  const stream = await session.stream(rpc({ id: 1, method: 'ask', params: {} }));
  await stream.next();
  await session.post(rpc({ method: 'notifications/cancelled', params: { requestId: 1 } }));
  expect(await stream.ended).toBe(true);
  expect(stream.left).toBe(0);
  expect(handler.exchanges[0]?.signal.aborted).toBe(true);
});

test('a lost stream changes nothing: question and result wait for the host to resume', async () => {
  const { open, handler } = await openEndpoint();
  const session = await open();
  const stream = await session.stream(rpc({ id: 1, method: 'ask', params: { n: 1 } }));
  const primer = await stream.next();
  const question = await stream.next();
  stream.cut();
  await stream.ended;
  // The host did not get the question: it resumes after the empty event.
  const again = await session.listen(primer.id);
  const repeated = await again.next();
  expect(repeated).toEqual(question);
  again.cut();
  await again.ended;
  await session.post(rpc({ id: question.data?.['id'], result: { action: 'accept' } }));
  expect(handler.exchanges[0]?.signal.aborted).toBe(false);
  const last = await session.listen(question.id);
  expect((await last.next()).data).toMatchObject({ id: 1, result: { result: '{"action":"accept"}' } });
  expect(await last.ended).toBe(true);
  expect(last.left).toBe(0);
});

test('a question asked while the stream is lost waits in its log when there is no other stream', async () => {
  const { handler, call } = held();
  const { open } = await openEndpoint({ handler });
  const session = await open();
  const reading = session.stream(HELD());
  const { exchange, session: host, finish } = await call();
  exchange.notify(NOTE, note(1));
  const stream = await reading;
  await stream.next();
  const seen = await stream.next();
  stream.cut();
  await eventually(() => host.reachable()).toBe(false);
  expect(host.reachable(exchange)).toBe(true);
  const asked = host.request('elicitation/create', '{}', { signal: exchange.signal, via: exchange });
  exchange.notify(NOTE, note(2));
  const again = await session.listen(seen.id);
  const question = (await again.next()).data;
  expect(question?.['method']).toBe('elicitation/create');
  expect((await again.next()).data).toMatchObject({ params: { data: 2 } });
  await session.post(rpc({ id: question?.['id'], result: { action: 'decline' } }));
  expect(await asked).toEqual({ result: '{"action":"decline"}' });
  finish();
  expect((await again.next()).data).toMatchObject({ id: 1 });
});

test('resuming takes over from a connection that only seems alive', async () => {
  const { handler, call } = held();
  const { open } = await openEndpoint({ handler });
  const session = await open();
  const reading = session.stream(HELD());
  const { exchange, finish } = await call();
  exchange.notify(NOTE, note(1));
  const stream = await reading;
  const primer = await stream.next();
  const again = await session.listen(primer.id);
  expect(await stream.ended).toBe(true);
  expect((await again.next()).data).toMatchObject({ method: NOTE });
  finish();
  expect((await again.next()).data).toMatchObject({ id: 1 });
});

test('a GET stream is resumed too, and a second one is no conflict: the newest carries what comes', async () => {
  const { open, handler } = await openEndpoint();
  const session = await open();
  const first = await session.listen();
  const primer = await first.next();
  const host = handler.sessions[0];
  host?.notify(NOTE, note(1));
  await first.next();
  const second = await session.listen();
  await second.next();
  host?.notify(NOTE, note(2));
  expect((await second.next()).data).toMatchObject({ params: { data: 2 } });
  first.cut();
  const resumed = await session.listen(primer.id);
  expect((await resumed.next()).data).toMatchObject({ params: { data: 1 } });
  second.cut();
  await second.ended;
  await eventually(() => {
    host?.notify(NOTE, note(3));
    return resumed.left;
  }).toBeGreaterThan(0);
  expect((await resumed.next()).data).toMatchObject({ params: { data: 3 } });
});

test.each(['nonsense', 'zz-1', '-1', '1', 'x-y', '99999999999999999999-1'])(
  'Last-Event-ID %j is a 400, not the end of the session',
  async (id) => {
    const { open } = await openEndpoint();
    const session = await open();
    const response = await session.get(id);
    expect(response.status).toBe(400);
    expect(await json(response)).toMatchObject({ error: { code: -32600 } });
  },
);

test('events of another session, of the future, and of a stream that said it all are a 400', async () => {
  const { open } = await openEndpoint();
  const [mine, other] = [await open(), await open()];
  const stream = await mine.stream(rpc({ id: 1, method: 'ask', params: {} }));
  const primer = await stream.next();
  const question = await stream.next();
  expect((await other.get(primer.id)).status).toBe(400);
  const [name] = primer.id?.split('-') ?? [];
  expect((await mine.get(`${name}-99`)).status).toBe(400);
  await mine.post(rpc({ id: question.data?.['id'], result: {} }));
  const last = await stream.next();
  expect(await stream.ended).toBe(true);
  expect((await mine.get(last.id)).status).toBe(400);
  const replay = await mine.listen(question.id);
  expect(await replay.next()).toEqual(last);
  expect(await replay.ended).toBe(true);
});

test('what ended is kept for resumption for a while only', async () => {
  const { open, clock } = await openEndpoint();
  const session = await open();
  const stream = await session.stream(rpc({ id: 1, method: 'echo' }), { accept: 'text/event-stream' });
  const primer = await stream.next();
  await stream.next();
  await stream.ended;
  clock.advance(45_000);
  const replay = await session.listen(primer.id);
  expect((await replay.next()).data).toMatchObject({ id: 1 });
  clock.advance(60_000);
  expect((await session.get(primer.id)).status).toBe(400);
});

test('a GET that does not take a stream is a 406', async () => {
  const { open } = await openEndpoint();
  const session = await open();
  expect((await session.get(undefined, { accept: 'application/json' })).status).toBe(406);
});

test('a notice that is held goes out once, on the next stream of the session, while it is worth telling', async () => {
  const { open, handler, clock } = await openEndpoint();
  const session = await open('2025-06-18');
  const host = handler.sessions[0];
  host?.notify(NOTE, note('stale'), { holdFor: 60_000 });
  clock.advance(60_000);
  host?.notify(NOTE, note('held'), { holdFor: 60_000 });
  host?.notify(NOTE, note('dropped'));
  const stream = await session.stream(rpc({ id: 1, method: 'echo' }), { accept: 'text/event-stream' });
  expect((await stream.next()).data).toMatchObject({ params: { data: 'held' } });
  expect((await stream.next()).data).toMatchObject({ id: 1 });
  const get = await session.listen();
  host?.notify(NOTE, note('live'), { holdFor: 60_000 });
  expect((await get.next()).data).toMatchObject({ params: { data: 'live' } });
});

test('every open stream carries a comment every 15 s, a silent POST included (C14)', async () => {
  const { handler, call } = held();
  const { open, clock } = await openEndpoint({ handler });
  const session = await open('2025-06-18');
  const get = await session.listen();
  const talking = session.stream(HELD(1));
  const first = await call(0);
  first.exchange.notify(NOTE, note(1));
  const post = await talking;
  const silent = session.stream(HELD(2));
  const second = await call(1);
  for (let beat = 0; beat < 40; beat += 1) {
    clock.advance(15_000);
    await Promise.all([get.comment(), post.comment()]);
  }
  // Ten minutes on, both calls are open, and the silent one has become a stream that is kept alive as well.
  const quiet = await silent;
  await quiet.comment();
  first.finish();
  second.finish();
  expect((await quiet.next()).data).toMatchObject({ id: 2, result: {} });
  await post.next();
  expect((await post.next()).data).toMatchObject({ id: 1, result: {} });
});

test('a proxy that drops silent connections after a minute drops none of them (C14)', async () => {
  const { handler, call } = held();
  const { port, open, clock } = await openEndpoint({ handler });
  const session = await open('2025-06-18');
  const proxy = await startProxy(port, { clock, idle: 60_000 });
  const through = (body?: string) => session.through(`http://127.0.0.1:${proxy.port}/mcp`, body);
  const get = await through();
  const silent = through(HELD(1));
  const { exchange, session: host, finish } = await call();
  let stream: Stream | undefined;
  // Ten minutes pass before anything is said.
  for (let beat = 0; beat < 40; beat += 1) {
    clock.advance(15_000);
    await get.comment();
    if (beat > 0) stream ??= await silent;
    await stream?.comment();
  }
  const asked = host.request('elicitation/create', '{}', { signal: exchange.signal, via: exchange });
  const question = (await stream?.next())?.data;
  await session.post(rpc({ id: question?.['id'], result: { action: 'accept' } }));
  expect(await asked).toEqual({ result: '{"action":"accept"}' });
  finish();
  expect((await stream?.next())?.data).toMatchObject({ id: 1 });
  expect(await stream?.ended).toBe(true);
  host.notify(NOTE, note('still there'));
  expect((await get.next()).data).toMatchObject({ method: NOTE });
});

test('a POST that takes no stream stays plain however long it lasts', async () => {
  const { handler, call } = held();
  const { open, clock } = await openEndpoint({ handler });
  const session = await open();
  const posting = session.post(HELD(), { accept: 'application/json' });
  const { finish } = await call();
  clock.advance(60_000);
  finish();
  expect(await json(await posting)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
});

test('a batch that has something to stream becomes one stream with every response on it', async () => {
  const { open } = await openEndpoint();
  const session = await open('2025-03-26');
  const stream = await session.stream(
    `[${rpc({ id: 1, method: 'echo' })},${rpc({ id: 2, method: 'ask', params: {} })},${rpc({ id: 3, method: 'ask', params: {} })}]`,
  );
  const events = [(await stream.next()).data, (await stream.next()).data, (await stream.next()).data];
  const questions = events.filter((event) => event?.['method'] === 'elicitation/create');
  expect(events.filter((event) => event?.['id'] === 1)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  await session.post(
    `[${questions.map((question) => rpc({ id: question?.['id'], result: { action: 'accept' } })).join(',')}]`,
  );
  const rest = [(await stream.next()).data, (await stream.next()).data];
  expect(rest.map((event) => event?.['id']).sort()).toEqual([2, 3]);
  expect(await stream.ended).toBe(true);
});
