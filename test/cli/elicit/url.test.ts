// `--url`, `MCPX_URL` and `MCPX_TOKEN`: what is only there with a gateway far away. That all else is the same: remote.test.ts.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { serveApiOf, TOKEN } from '../../api/support.ts';
import { MCPX } from '../../support/gateway.ts';
import { runNode } from '../../support/processes.ts';
import { testScope } from '../../support/scope.ts';
import { until } from '../../support/until.ts';
import { type Bench, bench, type Ran } from './run.ts';

/** A bench whose commands ask a gateway far away. */
const far = (): Promise<Bench> => bench({ remote: true });

const COMMANDS: [string, ...string[]][] = [
  ['list'],
  ['show', 'elc-0000000000000000'],
  ['accept', 'elc-0000000000000000'],
  ['decline', 'elc-0000000000000000'],
  ['done', 'elc-0000000000000000'],
  ['wait'],
  ['watch'],
];

function failure({ stdout, stderr }: Ran): { code: string; message: string; hint: string } {
  expect(stdout).toBe('');
  return JSON.parse(stderr).error;
}

/** Something that is no gateway, answering everything alike. */
async function stranger(status: number, body: string, type = 'text/html'): Promise<string> {
  const server: Server = createServer((_request, response) => {
    response.writeHead(status, {
      'content-type': type,
      ...(status === 302 && { location: 'http://[::1]:1/' }),
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  testScope().defer(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

test.each(COMMANDS)('no gateway there is exit 4, and says where and what to do: %s %s', async (...args) => {
  const at = await far();
  const ran = await at.run(['elicit', ...args, '--json', '--url', 'http://127.0.0.1:1/mcp']);
  expect(ran.code).toBe(4);
  const { code, message, hint } = failure(ran);
  expect(code).toBe('unreachable');
  expect(message).toContain('http://127.0.0.1:1');
  expect(hint).toContain('--url');
});

test.each(COMMANDS)('no token, and one that is not known, is exit 3: %s %s', async (...args) => {
  const at = await far();
  for (const token of ['', 'not-known']) {
    const ran = await at.run(['elicit', ...args, '--json'], { env: { MCPX_TOKEN: token } });
    expect(ran.code).toBe(3);
    expect(failure(ran)).toMatchObject({ code: 'forbidden', hint: expect.stringContaining('MCPX_TOKEN') });
  }
});

test.each([
  [200, '<html>', 4],
  [200, '{"rows":[{"id":7}]}', 4],
  [404, 'nothing', 4],
  [302, '', 4],
  [502, '{"error":"bad gateway"}', 4],
  [401, 'who?', 3],
  [403, '<html>', 3],
])('what is no gateway is told apart from one: HTTP %i %s', async (status, body, code) => {
  const at = await far();
  const url = await stranger(status, body);
  const ran = await at.run(['elicit', 'list', '--json'], { env: { MCPX_URL: url } });
  expect(ran.code).toBe(code);
  expect(failure(ran).message).toContain(new URL(url).origin);
});

test.each(['', 'x', 'ftp://127.0.0.1/', 'http://me:secret@127.0.0.1/', '127.0.0.1:7331'])(
  '--url %s is exit 2',
  async (url) => {
    const ran = await (await far()).run(['elicit', 'list', '--json', '--url', url]);
    expect(ran.code).toBe(2);
    expect(failure(ran).code).toBe('usage');
  },
);

test('the address is the one that serve prints, or what is before /mcp; a token may end in a line break', async () => {
  const at = await far();
  const row = await at.ask({});
  const base = (at.env['MCPX_URL'] ?? '').replace(/\/mcp$/, '');
  for (const url of [`${base}/mcp`, `${base}/mcp/`, base, `${base}/`]) {
    const ran = await at.run(['elicit', 'list', '-q', '--url', url], { env: { MCPX_TOKEN: `${TOKEN}\n` } });
    expect(ran).toEqual({ code: 0, stdout: `${row.id}\n`, stderr: '' });
  }
  expect((await at.run(['elicit', 'list'], { env: { MCPX_TOKEN: 'a b' } })).code).toBe(2);
});

test('a state directory that is typed counts before MCPX_URL, and --url before it', async () => {
  const at = await far();
  const row = await at.ask({});
  const dead = { MCPX_URL: 'http://127.0.0.1:1' };
  const list = ['elicit', 'list', '-q'];
  expect((await at.run([...list, '--state-dir', at.stateDir], { env: dead })).stdout).toBe(`${row.id}\n`);
  const url = at.env['MCPX_URL'] ?? '';
  const ran = await at.run([...list, '--state-dir', '/nowhere', '--url', url], { env: dead });
  expect(ran.stdout).toBe(`${row.id}\n`);
  const local = { MCPX_URL: '', MCPX_STATE_DIR: at.stateDir };
  expect((await at.run(list, { env: local })).stdout).toBe(`${row.id}\n`);
});

test('--json is what the local command prints, character by character', async () => {
  const at = await far();
  const schema =
    '{ "type":"object", "x": 9007199254740993, "properties":{"n":{"type":"integer","title":"\\u00e9"}}}';
  const params = `{"message":"Pr\\u00fcfe","requestedSchema":${schema}}`;
  const row = await at.ask({}, { message: 'Prüfe', params, requestedSchema: schema });
  await at.broker.answer(row.id, { action: 'accept', content: '{"n": 1e2}', by: 'host' });
  const url = await at.askUrl('https://example.com/?a=\u00e9', {
    params: '{"mode":"url","url":"https://example.com/?a=\\u00e9","message":"Link your account"}',
  });
  const local = { MCPX_URL: '', MCPX_STATE_DIR: at.stateDir };
  for (const args of [
    ['show', row.id],
    ['show', url.id],
    ['list', '--all'],
  ]) {
    const far = await at.run(['elicit', ...args, '--json']);
    expect(far.code).toBe(0);
    expect(far).toEqual(await at.run(['elicit', ...args, '--json'], { env: local }));
  }
});

test('more rows than one page holds', async () => {
  const at = await far();
  for (let count = 0; count < 205; count += 1) await at.ask({});
  const { stdout } = await at.run(['elicit', 'list', '-q']);
  expect(new Set(stdout.trimEnd().split('\n')).size).toBe(205);
});

test('the answer says which surface it came from', async () => {
  const at = await far();
  const row = await at.ask({});
  void at.broker.settled(row.id).then(() => at.broker.delivered(row.id));
  expect((await at.run(['elicit', 'decline', row.id])).stdout).toBe(`${row.id} declined: sent to github\n`);
  expect((await at.broker.get(row.id)).answer?.by).toBe('cli');
});

/** A gateway that can go away and come back at its port. */
async function restartable(at: Bench) {
  let served = await serveApiOf(at.broker);
  const { port, url } = served.http;
  const stop = async (): Promise<void> => {
    served.stop();
    await served.http.close('It stops.');
  };
  testScope().defer(stop);
  return {
    env: { MCPX_URL: url, MCPX_TOKEN: TOKEN },
    stop,
    async start(): Promise<void> {
      served = await serveApiOf(at.broker, {}, port);
    },
  };
}

test('a watch goes on where it was after the gateway was away for a moment', async () => {
  const at = await far();
  const gateway = await restartable(at);
  const first = await at.ask({});
  const watch = at.start(['elicit', 'watch', '--json'], { env: gateway.env });
  await watch.lines(1);
  await until('the watch follows', () => at.broker.watched());
  await gateway.stop();
  const second = await at.ask({});
  await at.broker.answer(first.id, { action: 'cancel', by: 'tui' });
  await gateway.start();
  const third = await at.ask({});
  const lines = (await watch.lines(4)).map((line) => JSON.parse(line));
  expect(lines.map(({ event, row }) => [event, row.id])).toEqual([
    ['opened', first.id],
    ['opened', second.id],
    ['answered', first.id],
    ['opened', third.id],
  ]);
  watch.signal('SIGINT');
  expect((await watch.done).code).toBe(130);
});

test('C39: a watch whose gateway stays away ends with exit 4 and changes no row', async () => {
  const at = await far();
  const gateway = await restartable(at);
  const row = await at.ask({});
  const watch = at.start(['elicit', 'watch', '--json'], { env: gateway.env });
  await watch.lines(1);
  await gateway.stop();
  const ended = await watch.done;
  expect(ended.code).toBe(4);
  expect(JSON.parse(ended.stderr).error.code).toBe('unreachable');
  expect((await at.broker.get(row.id)).state).toBe('pending');
}, 15_000);

test('an answer that counted is undelivered where the gateway goes away before it says that the server has it (C52)', async () => {
  const at = await far();
  const gateway = await restartable(at);
  const row = await at.ask({});
  const answering = at.run(['elicit', 'decline', row.id], { env: gateway.env });
  await at.broker.settled(row.id);
  await until('the command waits for the delivery', () => at.broker.watched());
  await gateway.stop();
  const { code, stdout, stderr } = await answering;
  expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
  expect(stderr).toContain(`${row.id} is declined, but nothing says that github has it: the gateway is gone`);
}, 15_000);

test('as a process', async () => {
  const at = await far();
  const row = await at.ask({});
  const scope = testScope();
  const mcpx = (...args: string[]) => runNode(scope, [MCPX, ...args], { env: { ...at.env } });
  expect(await mcpx('elicit', 'list', '-q')).toEqual({ code: 0, stdout: `${row.id}\n`, stderr: '' });
  expect((await mcpx('elicit', 'list', '--url', 'http://127.0.0.1:1')).code).toBe(4);
});
