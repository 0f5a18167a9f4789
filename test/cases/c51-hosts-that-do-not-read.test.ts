// C51: a host that does not read costs bounded memory, loses no answer, and holds up nobody else.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Backlog } from '../../src/host/backlog.ts';
import { LateNotices } from '../../src/host/late-notices.ts';
import { install, MCPX, startGateway } from '../support/gateway.ts';
import { ROOT } from '../support/processes.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';

const flood = { command: process.execPath, args: [join(ROOT, 'fixtures', 'flood.mjs')] };
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
  const rss = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  return { child, send, answered, rss };
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
