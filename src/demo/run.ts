// `mcpx demo`: a host that cannot show questions, an upstream that asks one, and mcpx between them, on a throw-away store.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Broker, Row } from '../broker/types.ts';
import { shellWord } from '../cli/elicit/how-to.ts';
import type { Io } from '../cli/io.ts';
import { version } from '../cli/version.ts';
import { loadSettings } from '../config/load.ts';
import { McpxError } from '../errors.ts';
import { startGateway } from '../gateway/start.ts';
import { serveHttp } from '../host/http.ts';
import { silent } from '../log.ts';
import { json } from '../protocol/json-text.ts';
import { inert } from '../text/inert.ts';

const TOOL = 'order_cake';
/** What is answered where no person can be asked: a fixed answer of the demo's own, to its own question. */
const SCRIPTED = json`{"flavour":"lemon","people":12,"toppings":["berries"],"candles":true}`;

/**
 * Runs the demo once. On a terminal the person answers with the same prompts as `mcpx elicit answer`; elsewhere a
 * scripted answer is given. Prints a transcript; exit 0 when the answer came back to the call that waited for it.
 */
export async function demo(io: Io): Promise<void> {
  const stateDir = await mkdtemp(join(tmpdir(), 'mcpx-demo-'));
  try {
    await play(io, stateDir);
    await io.printLine(`\n${nextSteps(io)}`);
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
  await say(
    'demo',
    'starts a host, a server and mcpx between them, on a store of its own that is deleted at the end',
  );
  await say(
    'host',
    `calls the tool ${TOOL} of the server "bakery" through mcpx; this host cannot show questions`,
  );
  const opened = firstQuestion(broker, io.signal);
  const result = callTool(url, TOOL);
  // A call that fails before it asks must not leave the demo waiting.
  const row = await Promise.race([opened, result.then(() => opened)]);
  await say('bakery', `asks: ${inert(row.message, { oneLine: true })}`);
  await say('mcpx', `keeps the question as ${row.id} until somebody answers it`);
  if (io.canAsk) await askPerson(io, stateDir, row);
  else {
    await say('script', `answers in place of a person, as nobody can be asked here: ${SCRIPTED}`);
    await broker.answer(row.id, { action: 'accept', content: SCRIPTED, by: 'script' });
  }
  if ((await broker.get(row.id)).state === 'pending') {
    result.catch(() => undefined);
    await say('mcpx', 'was given no answer; the demo ends here, and the call and its question end with it');
    return;
  }
  await say('mcpx', 'takes the answer to the server, whose call has been waiting for it');
  await say('host', `gets the result: ${await result}`);
}

/** What to type next, as it can be typed where the demo was started. */
function nextSteps(io: Io): string {
  const mcpx = commandOf(io.cwd);
  return [
    'Next, put mcpx before a real server; this one can ask every kind of question:',
    `  ${mcpx} serve -- npx -y @modelcontextprotocol/server-everything`,
    'and open the inbox for its questions in a second terminal:',
    `  ${mcpx} tui`,
  ].join('\n');
}

/** `mcpx` where it is installed; in a checkout, where no shell knows that word, the file itself. */
function commandOf(cwd: string): string {
  const file = fileURLToPath(new URL('../../bin/mcpx.js', import.meta.url));
  if (file.split(sep).includes('node_modules')) return 'mcpx';
  const near = relative(cwd, file);
  return `node ${shellWord(near.startsWith('..') ? file : near)}`;
}

async function askPerson(io: Io, stateDir: string, row: Row): Promise<void> {
  const { answerRow } = await import('../cli/elicit/answer.ts');
  await answerRow({ ...io, globals: { ...io.globals, stateDir } }, row.id);
}

async function firstQuestion(broker: Broker, signal: AbortSignal): Promise<Row> {
  for await (const change of broker.changes({ signal })) if (change.event === 'opened') return change.row;
  throw new McpxError('interrupted', 'The demo was stopped.');
}

/** Calls one tool through the gateway at `url` and gives the text of its result. The call may wait for a person. */
export async function callTool(url: string, name: string): Promise<string> {
  const client = new Client({ name: 'demo-host', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    const result = await client.callTool({ name, arguments: {} }, { timeout: 3_600_000 });
    const [first] = result.content;
    return first?.type === 'text' ? first.text : JSON.stringify(result.content);
  } finally {
    await client.close();
  }
}
