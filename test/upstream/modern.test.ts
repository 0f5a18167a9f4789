// What a connection of 2026-07-28 sends and brings back, over both transports.
import { expect, test } from 'vitest';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { type FixtureUpstream, fixtureUpstream } from '../support/upstream.ts';
import { checkWire } from '../support/wire.ts';
import { configOf, type Opened, type OpenOptions, open, resultOf, textOf } from './open.ts';

type Transport = 'stdio' | 'http';
const TRANSPORTS: Transport[] = ['stdio', 'http'];
const signal = new AbortController().signal;

async function modern(
  transport: Transport,
  flags: readonly string[] = [],
  options: OpenOptions = {},
): Promise<Opened & { upstream: FixtureUpstream }> {
  const upstream = await fixtureUpstream(testScope(), { transport, revision: '2026-07-28', flags });
  return { upstream, ...(await open(configOf(upstream, 'modern'), options)) };
}

const callText = (name: string, args: unknown): string => JSON.stringify({ name, arguments: args });

test.each(TRANSPORTS)('%s: what it says of itself comes of server/discover', async (transport) => {
  const { connection, upstream } = await modern(transport, ['--instructions', 'Be kind.']);
  expect(connection.info).toEqual({
    revision: '2026-07-28',
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      logging: {},
      completions: {},
    },
    serverInfo: '{"name":"fixture","version":"1.0.0"}',
    instructions: 'Be kind.',
  });
  expect(upstream.messages().map(({ method }) => method)).toEqual(['server/discover']);
});

test.each(TRANSPORTS)(
  '%s: every request says who asks, in what revision, and what the client can do',
  async (transport) => {
    const { connection, upstream } = await modern(transport, [], {
      capabilities: '{"elicitation":{"form":{}},"roots":{"listChanged":true}}',
    });
    const params =
      '{"cursor":"x","_meta":{"a/b":[1.0,{}],"progressToken":7,"io.modelcontextprotocol/logLevel":"debug"}}';
    await connection.request('prompts/list', params, { signal });
    const own = { name: 'mcpx', version: '0.0.0-test' };
    const [discover, list] = upstream.messages() as { params: { _meta: unknown } }[];
    const declared = { elicitation: { form: {} }, roots: {} };
    expect(discover?.params._meta).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': own,
    });
    // What others wrote into `_meta` stays; the keys of the protocol are mcpx's own, so that of the log level goes.
    expect(list?.params).toEqual({
      cursor: 'x',
      _meta: {
        'a/b': [1, {}],
        progressToken: 7,
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': own,
        'io.modelcontextprotocol/clientCapabilities': declared,
      },
    });
    expect(upstream.journal().at(-1)?.text).toContain('"a/b":[1.0,{}]');
  },
);

test.each(TRANSPORTS)('%s: capabilities and log level are those of the very request', async (transport) => {
  const { connection } = await modern(transport);
  const asked = { signal, capabilities: '{"elicitation":{"url":{}}}', logLevel: 'warning' };
  const first = JSON.parse(textOf(await connection.request('tools/call', callText('whoami', {}), asked)));
  expect(first).toMatchObject({ capabilities: { elicitation: { url: {} } }, logLevel: 'warning' });
  const second = JSON.parse(
    textOf(await connection.request('tools/call', callText('whoami', {}), { signal })),
  );
  expect(second).toMatchObject({ capabilities: { elicitation: { form: {}, url: {} } } });
  expect(second).not.toHaveProperty('logLevel');
});

test.each(TRANSPORTS)('%s: results come as they were sent', async (transport) => {
  const { call } = await modern(transport);
  const raw = '{"z":1.0,"a":12345678901234567890,"content":[],"resultType":"complete","a":2}';
  expect(await call('raw-result', { result: raw })).toEqual({ result: raw });
  const bare = '{"content":[{"type":"text","text":"no kind is complete"}]}';
  expect(await call('raw-result', { result: bare })).toEqual({ result: bare });
  const error = '{"code":-32000,"message":"no","data":{"n":1.0}}';
  expect(await call('fail', { error })).toEqual({ error });
});

test.each(TRANSPORTS)(
  '%s: input_required comes untouched, and the retry is an ordinary request',
  async (transport) => {
    const { connection, upstream } = await modern(transport);
    const keys = ['', '__proto__', 'a.b', 'k'.repeat(300)];
    const args = {
      keys,
      params: keys.map(
        (key) =>
          `{"mode":"form","message":${JSON.stringify(key)},"requestedSchema":{"type":"object","properties":{"n":{"type":"number","default":1.0}}}}`,
      ),
    };
    const reply = await connection.request('tools/call', callText('ask', args), { signal });
    if (!('result' in reply)) throw new Error('no result');
    expect(reply.result).toMatch(/^\{"resultType":"input_required","inputRequests":\{"":\{.*"default":1\.0/);
    const { requestState } = JSON.parse(reply.result) as { requestState: string };
    const answers = keys.map((key) => `${JSON.stringify(key)}:{"action":"accept","content":{"n":2.0}}`);
    const params = `{"name":"ask","arguments":${JSON.stringify(args)},"inputResponses":{${answers.join(',')}},"requestState":${JSON.stringify(requestState)}}`;
    const done = JSON.parse(textOf(await connection.request('tools/call', params, { signal })));
    expect(done.answers).toEqual(keys.map(() => '{"action":"accept","content":{"n":2.0}}'));
    const calls = upstream.messages().filter(({ method }) => method === 'tools/call');
    expect(calls[0]?.['id']).not.toEqual(calls[1]?.['id']);
  },
);

test.each(TRANSPORTS)('%s: a result of a kind that is not allowed is an error', async (transport) => {
  const { connection, call } = await modern(transport);
  await expect(call('raw-result', { result: '{"resultType":"\\u001b[2Jodd"}' })).rejects.toThrow(
    /^(github|linear): answered tools\/call with a result of type "\\u001b\[2Jodd", which is not allowed there$/,
  );
  const asked = connection.request('completion/complete', '{"ref":{},"argument":{"name":"x","value":"a"}}', {
    signal,
  });
  expect(resultOf(await asked)).toMatchObject({ completion: { values: ['ada', 'alan'] } });
});

test('input_required to a method that may not ask is an error', async () => {
  const { connection } = await modern('stdio', ['--list-asks']);
  await expect(connection.request('tools/list', undefined, { signal })).rejects.toThrow(
    'answered tools/list with a result of type "input_required", which is not allowed there',
  );
});

test.each(TRANSPORTS)('%s: what a server may not send is ignored, and said', async (transport) => {
  const { call, questions, log, connection, upstream } = await modern(transport);
  const lines = [
    '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"x","requestedSchema":{}}}',
    '{"jsonrpc":"2.0","id":9,"method":"ping"}',
    '{"jsonrpc":"2.0","id":9,"method":"ping","params":7}',
  ];
  expect(textOf(await call('raw-lines', { lines }))).toBe('written');
  expect(questions).toEqual([]);
  const said = log.lines.filter(({ message }) => message.includes('forbids'));
  expect(said.map(({ fields }) => fields['method'])).toEqual(['elicitation/create', 'ping']);
  await call('whoami');
  expect(connection.closed).toBe(false);
  expect(upstream.messages().filter(({ method }) => method === undefined)).toEqual([]);
});

test.each(TRANSPORTS)('%s: notices of a request carry its ticket', async (transport) => {
  const { connection, notices } = await modern(transport);
  const call = (ticket: string, name: string, more = {}): Promise<unknown> =>
    connection.request(
      'tools/call',
      JSON.stringify({
        name,
        arguments: { count: 2, level: 'info' },
        _meta: { progressToken: `of ${ticket}` },
      }),
      { signal, ticket, ...more },
    );
  await Promise.all([call('one', 'progress'), call('two', 'progress')]);
  await call('three', 'log', { logLevel: 'info' });
  const seen = notices.map(({ method, params, origin }) => [
    method,
    JSON.parse(params ?? '').progressToken,
    origin,
  ]);
  expect(seen.filter(([, token]) => token === 'of one')).toEqual([
    ['notifications/progress', 'of one', 'one'],
    ['notifications/progress', 'of one', 'one'],
  ]);
  expect(seen.filter(([, token]) => token === 'of two')).toHaveLength(2);
  expect(seen.at(-1)).toEqual(['notifications/message', undefined, 'three']);
});

test('stdio: a log message that could be of two requests belongs to neither', async () => {
  const { connection, notices } = await modern('stdio');
  const logged = (ticket: string, name: string, args: unknown): Promise<unknown> =>
    connection.request('tools/call', callText(name, args), { signal, ticket, logLevel: 'info' });
  const slow = logged('slow', 'slow', { gate: 'g' });
  await logged('log', 'log', {});
  await connection.request('tools/call', callText('release', { gate: 'g' }), { signal });
  await slow;
  expect(notices.map(({ origin }) => origin)).toEqual([undefined]);
});

test.each(TRANSPORTS)('%s: notifications of clients are not sent, there are none', async (transport) => {
  const { connection, upstream } = await modern(transport);
  await connection.notify('notifications/roots/list_changed', undefined);
  await connection.request('prompts/list', undefined, { signal });
  expect(upstream.messages().map(({ method }) => method)).toEqual(['server/discover', 'prompts/list']);
});

test('stdio: a cancelled request is cancelled by notice', async () => {
  const { call, upstream } = await modern('stdio');
  const stop = new AbortController();
  const failed = expect(call('slow', { gate: 'never' }, 't', stop.signal)).rejects.toBe('enough');
  const { id } = await upstream.message('the call', ({ method }) => method === 'tools/call');
  stop.abort('enough');
  await failed;
  const notice = await upstream.message('the notice', ({ method }) => method === 'notifications/cancelled');
  expect(notice['params']).toEqual({ requestId: id, reason: 'enough' });
});

test('HTTP: a cancelled request ends its response, and nothing else is sent', async () => {
  const { call, upstream } = await modern('http');
  const stop = new AbortController();
  const failed = expect(call('slow', { gate: 'never' }, 't', stop.signal)).rejects.toBe('enough');
  await upstream.message('the call', ({ params }) => JSON.stringify(params).includes('never'));
  stop.abort('enough');
  await failed;
  await until('the end of the response', () => upstream.journal().some(({ via }) => via === 'close'));
  expect(upstream.messages().filter(({ method }) => method === 'notifications/cancelled')).toEqual([]);
  expect(textOf(await call('slow'))).toBe('done');
});

test('stdio: the end of the process fails what is open', async () => {
  const { call, connection, closed } = await modern('stdio');
  const slow = expect(call('slow', { gate: 'never' })).rejects.toThrow('exited with code 5');
  await expect(call('exit', { code: 5 })).rejects.toThrow('exited with code 5');
  await slow;
  expect(closed).toEqual(['the process exited with code 5']);
  expect(connection.closed).toBe(true);
});

test.each(TRANSPORTS)('%s: the wire is in the words of 2026-07-28', async (transport) => {
  const { connection, call, upstream } = await modern(transport, [], {
    capabilities: '{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{"listChanged":true}}',
  });
  await connection.request('tools/list', undefined, { signal });
  await connection.request('resources/read', '{"uri":"fixture://text/1"}', { signal, logLevel: 'debug' });
  await connection.request('prompts/get', '{"name":"greet","arguments":{"who":"Ada"}}', { signal });
  await connection.request('resources/templates/list', '{}', { signal });
  await connection.request('tools/call', '{"name":"echo","_meta":{"progressToken":"t"}}', { signal });
  const reply = resultOf(await call('ask')) as { requestState: string };
  const answers = { q1: { action: 'accept', content: { repo: 'x' } } };
  const retry = { name: 'ask', arguments: {}, inputResponses: answers, requestState: reply.requestState };
  expect(textOf(await connection.request('tools/call', JSON.stringify(retry), { signal }))).toContain(
    'accept',
  );
  const stop = new AbortController();
  connection.subscribe?.(
    { tools: true, prompts: true, resources: true, uris: ['fixture://text/1'] },
    stop.signal,
  );
  await upstream.message('the subscription', ({ method }) => method === 'subscriptions/listen');
  stop.abort('enough');
  if (transport === 'stdio')
    await upstream.message('the cancellation', ({ method }) => method === 'notifications/cancelled');
  await checkWire(upstream.wire(), { revision: '2026-07-28' });
});
