// The test peers against each other, without mcpx between them: what a test of mcpx sees is then mcpx's doing.
import { expect, test } from 'vitest';
import type { Scope } from './create-scope.ts';
import type { HostOptions } from './host.ts';
import { connectHttpHost } from './host-http.ts';
import { connectStdioHost } from './host-stdio.ts';
import { ROOT, startNode } from './processes.ts';
import { testScope } from './scope.ts';
import { until } from './until.ts';
import { FIXTURE, fixtureUpstream } from './upstream.ts';
import { checkWire, loadLint, violations } from './wire.ts';

async function connect(scope: Scope, transport: 'http' | 'stdio', flags: string[], options: HostOptions) {
  if (transport === 'stdio')
    return connectStdioHost(startNode(scope, [FIXTURE, ...flags], { rawStdout: true }).child, options);
  const { entry } = await fixtureUpstream(scope, { transport: 'http', flags });
  const host = await connectHttpHost(String(entry['url']), options);
  scope.defer(() => host.cut());
  return host;
}

for (const transport of ['http', 'stdio'] as const) {
  test(`a question and its answer pass as exact text over ${transport}`, async () => {
    const scope = testScope();
    const host = await connect(scope, transport, ['--string-ids'], {
      answer: () => ({ result: '{"action":"accept","content":{"n":12345678901234567890.0}}' }),
    });
    const params =
      '{"message":"n?",  "requestedSchema":{"type":"object","properties":{"n":{"type":"number"}}}}';
    const { answers } = await host.ask({ params });
    expect(answers).toEqual(['{"action":"accept","content":{"n":12345678901234567890.0}}']);
    expect(host.questions[0]).toMatchObject({ id: '"q-1"', params });
    expect(await host.call('echo', { x: 1 })).toBe('{"name":"echo","arguments":{"x":1}}');
  });

  test(`two questions at once, a withdrawal and a cancelled call over ${transport}`, async () => {
    const scope = testScope();
    const host = await connect(scope, transport, [], {
      answer: ({ id }) => ({ result: `{"action":"decline","id":${id}}` }),
    });
    expect((await host.ask({ count: 2 })).answers).toHaveLength(2);
    expect(await host.call('ask-then-withdraw', { id: '"w"', gate: 'g', cross: true })).toBe('withdrawn');
    expect(
      await host.received('the withdrawal', (m) => m['method'] === 'notifications/cancelled'),
    ).toMatchObject({
      params: { requestId: 'w' },
    });
    const slow = host.startCall('slow', { gate: 'never' });
    await host.cancel(slow.id);
    expect(await host.call('whoami')).toContain('"pid"');
  });
}

test('noise, CRLF and split writes are there when asked for', async () => {
  const scope = testScope();
  const running = startNode(scope, [FIXTURE, '--noise', '--crlf', '--split', '1', '--stderr-flood', '70000']);
  running.child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  expect(await running.line((line) => line.includes('"id":1'))).toBe(
    '{"jsonrpc":"2.0","id":1,"result":{}}\r',
  );
  expect(running.stdout()).toContain('Server ready\r\n[1] start\r\n\r\n123\r\n');
  expect(running.stderr()).toHaveLength(70000);
});

test('a cut stream is resumed with what was sent meanwhile', async () => {
  const scope = testScope();
  const { entry } = await fixtureUpstream(scope, { transport: 'http' });
  const host = await connectHttpHost(String(entry['url']));
  scope.defer(() => host.cut());
  const call = host.startCall('ask', { params: ['{"message":"a"}', '{"message":"b"}'] });
  const first = await host.question(0);
  host.cut();
  expect(await host.openStream(host.lastEventId)).toBe(200);
  await host.reply(first, { result: '{"action":"cancel"}' });
  await host.reply(await host.question(1), { result: '{"action":"cancel"}' });
  expect(await call.reply).toHaveProperty('result');
});

test('the wire check finds what a revision does not define, and only what the checked side sent', async (context) => {
  const lint = await loadLint();
  if (!lint) return context.skip('the schemas of ../shared are not here');
  const ask = (params: string) => ({
    dir: 'in' as const,
    at: 0,
    text: `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":${params}}`,
  });
  const good = ask('{"message":"m","requestedSchema":{"type":"object","properties":{}}}');
  const odd = ask('{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{}}}');
  await checkWire([good, { ...odd, dir: 'out' }], { revision: '2025-06-18' });
  await checkWire([odd], { revision: '2025-11-25' });
  await expect(checkWire([odd], { revision: '2025-06-18' })).rejects.toThrow("'mode'");
  const nested = ask(
    '{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"object"}}}}',
  );
  expect(violations(lint, [nested], { revision: '2025-06-18' })).not.toEqual([]);
  expect(violations(lint, [nested], { revision: '2025-06-18', exempt: ['/params/requestedSchema'] })).toEqual(
    [],
  );
});

test('a run that is killed leaves no process behind', async () => {
  const scope = testScope();
  // A run of its own, by the same loader as the bench: it starts a process that ignores its input, and is then killed.
  const script = `
    import { runnerImport } from 'vite';
    const at = (name) => ${JSON.stringify(ROOT)} + '/test/support/' + name;
    const { module: scopes } = await runnerImport(at('create-scope.ts'), { logLevel: 'silent' });
    const { module: processes } = await runnerImport(at('processes.ts'), { logLevel: 'silent' });
    const child = processes.startNode(scopes.createScope(), ['-e', 'setInterval(() => {}, 1000)']);
    console.log('started ' + child.pid);
    setInterval(() => {}, 1000);`;
  const run = startNode(scope, ['--input-type=module', '-e', script]);
  const pid = Number((await run.line((line) => line.startsWith('started'))).slice(8));
  const alive = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  expect(alive()).toBe(true);
  await run.stop('SIGKILL');
  await until('its end', () => !alive());
});
