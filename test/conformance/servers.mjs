// The processes that the suite is pointed at, and folders of their own; all gone when the run ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { env } from './suite.mjs';

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const UPSTREAM = at('fixtures/conformance/upstream.mjs');
const MCPX = at('bin/mcpx.js');
export const DRIVER = at('fixtures/conformance/client.mjs');

const root = mkdtempSync(join(tmpdir(), 'mcpx-conformance-'));
const running = new Set();
let folders = 0;
process.on('exit', () => {
  for (const child of running) child.kill();
  rmSync(root, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** An empty folder. */
export function newFolder() {
  folders += 1;
  const path = join(root, String(folders));
  mkdirSync(path);
  return path;
}

/** The fixture over HTTP, until `stop`. */
export async function startUpstream(...flags) {
  const { line, stop } = await start([UPSTREAM, ...flags]);
  return { url: line, stop };
}

/** How mcpx is told to start the fixture itself. */
export const stdioUpstream = (...flags) => ({
  command: process.execPath,
  args: [UPSTREAM, '--stdio', ...flags],
});

/** `mcpx serve` with one server, until `stop`. */
export async function startMcpx(server) {
  const dir = newFolder();
  const config = join(dir, 'mcpx.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { suite: server } }));
  const { line, stop } = await start([MCPX, 'serve', '--port', '0', '--json'], {
    MCPX_CONFIG: config,
    MCPX_STATE_DIR: join(dir, 'state'),
  });
  return { url: JSON.parse(line).url, stop };
}

/** Starts a server and gives the first line it prints. */
async function start(args, more = {}) {
  const child = spawn(process.execPath, args, {
    env: { ...env, ...more },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  const ended = once(child, 'exit').then(() => running.delete(child));
  const first = once(createInterface({ input: child.stdout }), 'line');
  const [line] = await Promise.race([
    first,
    ended.then(() => {
      throw new Error(`${args.join(' ')} ended before it listened:\n${said}`);
    }),
  ]);
  const stop = () => {
    child.kill();
    return ended;
  };
  return { line, stop };
}
