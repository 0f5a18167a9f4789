// C51: a host that does not read costs bounded memory, loses no answer, and holds up nobody else.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Backlog } from '../../src/host/backlog.ts';
import { LateNotices } from '../../src/host/late-notices.ts';
import { install, MCPX, startGateway } from '../support/gateway.ts';
import { modernHttpHost } from '../support/modern-host-http.ts';
import { ROOT } from '../support/processes.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';

const flood = { command: process.execPath, args: [join(ROOT, 'fixtures', 'flood.mjs')] };
const large = { ...flood, env: { RESULT_BYTES: '8000000' } };
const MIB = 1024 * 1024;
const config = { limits: { frameBytes: 2 * MIB } };
const initialize =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"slow","version":"1"}}}';
const call = (id: number, name: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":{},"_meta":{"progressToken":"t"}}}`;

/** A host over stdio that reads when the test lets it. */
async function stdioHost() {
  const scope = testScope();
  const { env } = install(scope, { servers: { flood }, config });
  const child = spawn(process.execPath, [MCPX, 'serve', '--stdio'], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  scope.defer(() => child.kill('SIGKILL'));
  const ids = new Set<string>();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    for (const [, id] of chunk.matchAll(/"id":([^,]+),"result"/g)) ids.add(id ?? '');
  });
  const send = (line: string) => child.stdin.write(`${line}\n`);
  const answered = (id: string) => ids.has(id);
  send(initialize);
  await until('initialize', () => answered('0'));
  send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  send('{"jsonrpc":"2.0","id":"l","method":"tools/list"}');
  await until('the list', () => answered('"l"'));
  return { child, send, answered, rss: () => rssOf(child.pid) };
}

/** Resident MiB. */
function rssOf(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

function modernCall(id: number, name: string, args: string): string {
  const key = 'io.modelcontextprotocol';
  const meta = `"${key}/protocolVersion":"2026-07-28","${key}/clientInfo":{"name":"slow","version":"1"},"${key}/clientCapabilities":{}`;
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args},"_meta":{${meta}}}}`;
}

const onLinux = test.skipIf(process.platform !== 'linux');

onLinux('stdio: 200 results of a megabyte wait with the server, and all arrive', async () => {
  const { child, send, answered, rss } = await stdioHost();
  const before = rss();
  child.stdout.pause();
  for (let id = 1; id <= 200; id += 1) send(call(id, 'results'));
  let most = 0;
  for (let look = 0; look < 30; look += 1) {
    await sleep(100);
    most = Math.max(most, rss());
  }
  expect(most - before).toBeLessThan(120);
  child.stdout.resume();
  await until('every result', () => answered('200'), 20_000);
  for (let id = 1; id <= 200; id += 1) expect(answered(String(id)), String(id)).toBe(true);
});

onLinux.each(['logs', 'progress', 'updates', 'lists'])('stdio: a flood of %s is not kept', async (kind) => {
  const { child, send, answered, rss } = await stdioHost();
  const before = rss();
  child.stdout.pause();
  send(call(1, kind));
  let most = 0;
  for (let look = 0; look < 20; look += 1) {
    await sleep(100);
    most = Math.max(most, rss());
  }
  expect(most - before).toBeLessThan(120);
  child.stdout.resume();
  send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
  send(call(2, 'echo'));
  await until('another call', () => answered('2'), 20_000);
});

test('HTTP: on a shared server a host that does not read does not hold up another', async () => {
  const it = await startGateway(testScope(), {
    servers: { flood: { ...flood, isolation: 'shared' } },
    config,
  });
  const other = await it.connect();
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const opened = await fetch(it.url, { method: 'POST', headers, body: initialize });
  await opened.text();
  const session = opened.headers.get('mcp-session-id');
  const { port } = new URL(it.url);
  for (let id = 1; id <= 30; id += 1) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    const body = call(id, id === 1 ? 'logs' : 'results');
    socket.write(
      `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\naccept: text/event-stream\r\n` +
        `mcp-session-id: ${session}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    socket.pause();
  }
  for (let round = 0; round < 5; round += 1) {
    await sleep(200);
    expect(await other.call('echo')).toBe('here');
  }
});

onLinux.each(['stdio', 'http'] as const)(
  'HTTP at 2026-07-28: 24 results of 8 megabytes wait with a server over %s, and another host is served',
  async (transport) => {
    const scope = testScope();
    const far = transport === 'http' ? await fixtureUpstream(scope, { transport }) : undefined;
    const [entry, tool, args] = far ? [far.entry, 'big', '{"bytes":8000000}'] : [large, 'results', '{}'];
    const it = await startGateway(scope, { servers: { far: entry }, spawn: true });
    const other = modernHttpHost(it.url, { name: 'another' });
    const first = await other.call(far ? 'echo' : 'count').reply;
    expect(first).toHaveProperty('result');
    const rss = (): number => rssOf(it.process.pid);
    const before = rss();
    const { port } = new URL(it.url);
    for (let id = 1; id <= 24; id += 1) {
      const socket = connect(Number(port), '127.0.0.1');
      scope.defer(() => socket.destroy());
      socket.on('error', () => {});
      const body = modernCall(id, tool, args);
      socket.write(
        `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n` +
          `mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: ${tool}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      socket.pause();
    }
    let most = 0;
    for (let round = 0; round < 20; round += 1) {
      await sleep(100);
      most = Math.max(most, rss());
      expect(await other.call(far ? 'echo' : 'count').reply).toHaveProperty('result');
    }
    // All of them are 192 MB, several times over while they are read. The limit is 16 MiB: about twice that is kept.
    expect(most - before).toBeLessThan(150);
  },
);

test('an upstream over HTTP that does not read is sent no more than it may leave unread', async () => {
  const scope = testScope();
  const reply = (id: unknown, result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result });
  let calls = 0;
  const server = createServer((request, response) => {
    if (Number(request.headers['content-length']) > MIB) {
      // Its body is left where it is.
      calls += 1;
      return;
    }
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body || '{}');
      response.setHeader('content-type', 'application/json');
      if (method === 'initialize') {
        const serverInfo = { name: 'deaf', version: '1' };
        response.setHeader('mcp-session-id', 's');
        response.end(
          reply(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }),
        );
      } else if (method === 'tools/list') {
        response.end(reply(id, { tools: [{ name: 'take', inputSchema: { type: 'object' } }] }));
      } else if (method === 'tools/call') response.end(reply(id, { content: [] }));
      else response.writeHead(request.method === 'POST' ? 202 : 405).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.defer(() => server.closeAllConnections());
  scope.defer(() => server.close());
  const { port } = server.address() as AddressInfo;
  const it = await startGateway(scope, {
    servers: { deaf: { url: `http://127.0.0.1:${port}/mcp` } },
    config: { limits: { frameBytes: 16 * MIB } },
  });
  const host = await it.connect();
  // What goes into the buffers of the machine is not mcpx's, so that it takes a few.
  const sent = [...Array(4).keys()].map(() => host.startCall('take', { text: 'x'.repeat(15 * MIB) }));
  await until('the calls to be there', () => calls >= 2);
  const refused = await Promise.race(sent.map(({ reply }) => reply));
  expect(JSON.stringify(refused)).toContain('deaf: it does not read its input');
  // A short one still gets through.
  expect(await host.startCall('take').reply).toHaveProperty('result');
});

test('notices are dropped first, then upstreams wait, then the host is cut off', async () => {
  const backlog = new Backlog(MIB);
  let done: (() => void) | undefined;
  let reading = false;
  const output = new Writable({
    highWaterMark: 1,
    write(_chunk, _encoding, taken) {
      if (reading) taken();
      else done = taken;
    },
  });
  const changes: boolean[] = [];
  backlog.onChange(() => changes.push(backlog.full));
  backlog.write(output, 'x'.repeat(MIB / 5));
  expect([backlog.hasRoom(output), backlog.full]).toEqual([true, false]);
  backlog.write(output, 'x'.repeat(MIB / 5));
  expect([backlog.hasRoom(output), backlog.full]).toEqual([false, false]);
  backlog.write(output, 'x'.repeat(MIB / 5));
  expect([backlog.hasRoom(output), backlog.full, backlog.isOver(output)]).toEqual([false, true, false]);
  backlog.write(output, 'x'.repeat(2 * MIB));
  expect(backlog.isOver(output)).toBe(true);
  reading = true;
  done?.();
  await until('all to be read', () => !backlog.full);
  expect(backlog.hasRoom(output)).toBe(true);
  expect(changes).toEqual([true, false]);
});

test('a host whose output is gone owes nothing', async () => {
  const backlog = new Backlog(1000);
  const output = new PassThrough({ highWaterMark: 1 });
  output.on('error', () => {});
  backlog.write(output, 'x'.repeat(5000));
  expect(backlog.full).toBe(true);
  output.destroy();
  await until('it to be forgotten', () => !backlog.full);
});

test('of the changes that a host missed each is told once, when it reads again', () => {
  const sent: string[] = [];
  let room = false;
  let read = (): void => {};
  let waits = 0;
  const stream = {
    open: true,
    send: (text: string) => room && sent.push(text) > 0,
    whenRoom: (then: () => void) => {
      read = then;
      waits += 1;
    },
  };
  const late = new LateNotices();
  const tell = (method: string, uri?: string) =>
    late.send(
      stream,
      method,
      uri === undefined ? undefined : `{"uri":"${uri}"}`,
      `${method} ${uri ?? ''}`.trim(),
    );
  for (let n = 0; n < 3; n += 1) {
    tell('notifications/tools/list_changed');
    tell('notifications/resources/updated', 'a');
    tell('notifications/resources/updated', 'b');
    tell('notifications/message');
  }
  expect(sent).toEqual([]);
  expect(waits).toBe(1);
  room = true;
  read();
  expect(sent).toEqual([
    'notifications/tools/list_changed',
    'notifications/resources/updated a',
    'notifications/resources/updated b',
  ]);
});
