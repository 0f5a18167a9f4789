// `mcpx demo`: a host that cannot show questions, an upstream that asks one, and mcpx between them, on a throw-away store.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Broker, Row } from '../broker/types.ts';
import type { Io } from '../cli/io.ts';
import { version } from '../cli/version.ts';
import { loadSettings } from '../config/load.ts';
import { McpxError } from '../errors.ts';
import { startGateway } from '../gateway/start.ts';
import { serveHttp } from '../host/http.ts';
import { silent } from '../log.ts';
import { inert } from '../text/inert.ts';
import { callTool } from './host.ts';

const TOOL = 'order_cake';
/** What is answered where no person can be asked: a fixed answer of the demo's own, to its own question. */
const SCRIPTED = '{"flavour":"lemon","people":12,"toppings":["berries"],"candles":true}';

/**
 * Runs the demo once. On a terminal the person answers with the same prompts as `mcpx elicit answer`; elsewhere a
 * scripted answer is given. Prints a transcript; exit 0 when the answer came back to the call that waited for it.
 */
export async function demo(io: Io): Promise<void> {
  const stateDir = await mkdtemp(join(tmpdir(), 'mcpx-demo-'));
  try {
    await play(io, stateDir);
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}

async function play(io: Io, stateDir: string): Promise<void> {
  const upstream = fileURLToPath(new URL('./bakery.js', import.meta.url));
  // Nothing of the surroundings may reach into the demo: no variables of mcpx, no configuration file.
  const { settings } = loadSettings({
    ...io,
    env: {},
    flags: { port: '0', stateDir },
    command: [process.execPath, upstream],
  });
  const { clock } = io;
  const started = await startGateway({ settings, clock, log: silent, version: version() });
  try {
    const http = await serveHttp({
      ...settings.serve,
      handler: started.gateway.handler,
      serverInfo: { name: 'mcpx', version: version() },
      clock,
      log: silent,
      limits: settings.limits,
    });
    try {
      await converse(io, stateDir, started.broker, http.url);
    } finally {
      await http.close('the demo is over');
    }
  } finally {
    await started.close('the demo is over');
  }
}

async function converse(io: Io, stateDir: string, broker: Broker, url: string): Promise<void> {
  const say = (who: string, what: string): Promise<void> =>
    io.printLine(`${io.style.bold(who.padEnd(8))}${what}`);
  await say('host', `calls the tool ${TOOL} of the server "bakery" through mcpx; it cannot show questions`);
  const opened = firstQuestion(broker, io.signal);
  const result = callTool(url, TOOL);
  // A call that fails before it asks must not leave the demo waiting.
  const row = await Promise.race([opened, result.then(() => opened)]);
  await say('bakery', `asks: ${inert(row.message, { oneLine: true })}`);
  await say('mcpx', `keeps the question as ${row.id}, where anybody at this machine can answer it`);
  if (io.canAsk) await askPerson(io, stateDir, row);
  else {
    await say('script', `answers with ${SCRIPTED}`);
    await broker.answer(row.id, { action: 'accept', content: SCRIPTED, by: 'script' });
  }
  if ((await broker.get(row.id)).state === 'pending') {
    result.catch(() => undefined);
    await say('mcpx', 'the question stays open; the demo ends here, and with it the call');
    return;
  }
  await say('mcpx', 'brings the answer back to the one call that waits for it');
  await say('host', `gets the result: ${await result}`);
}

async function askPerson(io: Io, stateDir: string, row: Row): Promise<void> {
  const { answerRow } = await import('../cli/elicit/answer.ts');
  await answerRow({ ...io, globals: { ...io.globals, stateDir } }, row.id);
}

async function firstQuestion(broker: Broker, signal: AbortSignal): Promise<Row> {
  for await (const change of broker.changes({ signal })) if (change.event === 'opened') return change.row;
  throw new McpxError('interrupted', 'the demo was stopped');
}
