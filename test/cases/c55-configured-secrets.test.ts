// C55: what the configuration took from the environment comes back to nobody: not to hosts, logs, commands or the API.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { ServerReport } from '../../src/cli/servers-look.ts';
import { Redactor } from '../../src/text/redact.ts';
import { startGateway } from '../support/gateway.ts';
import { errorOf } from '../support/modern-scene.ts';
import { restOf } from '../support/rest.ts';
import { testScope } from '../support/scope.ts';

const TOKEN = 'lin_api/+0123456789abcdef';
const PASSWORD = 'hunter2-hunter2';
const ENV = {
  LINEAR: TOKEN,
  PASSWORD,
  BASIC: Buffer.from(`me:${PASSWORD}`).toString('base64'),
  FOLDER: '/srv/notes-of-all',
};
const encoded = (text: string): string[] => [
  text,
  encodeURIComponent(text),
  Buffer.from(`Bearer ${text}`).toString('base64'),
  Buffer.from(text).toString('hex'),
];

/** A server on the network that refuses, and quotes what it was sent. */
async function refusing(scope: ReturnType<typeof testScope>, say: (request: IncomingMessage) => string) {
  const server = createServer((request, response) => {
    response.writeHead(401, { 'content-type': 'text/plain' }).end(say(request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.defer(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const QUOTE = (request: IncomingMessage): string => {
  const sent = request.headers.authorization ?? '';
  return encoded(sent.replace(/^\w+ /, '')).join(' ').slice(0, 180);
};

/** A process that says its environment and dies, or answers a tool with it. */
const DYING = ['-e', 'console.error("I have", process.env.API_TOKEN, process.env.WHERE); process.exit(3)'];
const ANSWERING = [
  '-e',
  `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const said = process.env.API_TOKEN + ' in ' + process.env.WHERE;
    const reply = method === 'initialize'
      ? { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, instructions: 'Use ' + said,
          serverInfo: { name: 's', version: '1', title: said } } }
      : method !== 'tools/call' ? { error: { code: -32601, message: 'no ' + method } }
      : params.name === 'fail' ? { error: { code: -32000, message: said, data: { said } } }
      : { result: { content: [{ type: 'text', text: said }], isError: params.name === 'bad' } };
    const text = JSON.stringify({ jsonrpc: '2.0', id, ...reply });
    console.log(params?.name === 'slashes' ? text.replaceAll('/', '\\\\/') : text);
  });`,
];
/** As the configuration file refers to a variable. */
const variable = (name: string): string => `$\{${name}}`;
const env = { API_TOKEN: variable('LINEAR'), WHERE: variable('FOLDER') };

async function open() {
  const scope = testScope();
  const url = await refusing(scope, QUOTE);
  const gateway = await startGateway(scope, {
    servers: {
      bearer: { url, headers: { authorization: `Bearer ${variable('LINEAR')}` } },
      basic: { url, headers: { authorization: `Basic ${variable('BASIC')}` } },
      literal: { url, headers: { 'x-api-key': PASSWORD, authorization: `Bearer ${TOKEN}` } },
      dying: { command: process.execPath, args: DYING, env },
      answering: { command: process.execPath, args: ANSWERING, env },
    },
    env: ENV,
  });
  return { gateway, host: await gateway.connect(), rest: restOf(gateway) };
}

function expectClean(text: string): void {
  const secrets = [TOKEN, PASSWORD, ENV.BASIC].flatMap(encoded);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
}

test('neither a refusal over HTTP nor the last words of a process bring them back, to whomever', async () => {
  const { gateway, host, rest } = await open();
  const texts: string[] = [];
  for (const server of ['bearer', 'basic', 'literal', 'dying']) {
    const { message } = errorOf(await host.startCall(`${server}__x`).reply);
    expect(message, server).toMatch(server === 'dying' ? /I have \[LINEAR\]/ : /HTTP 401: \[\w+\]/);
    texts.push(message, (await rest.post('/v1/call', { server, tool: 'x' })).text);
  }
  texts.push((await rest.ask('/v1/servers')).text, gateway.process.stderr());
  const listed = await gateway.mcpx(['servers']);
  const asJson = await gateway.mcpx(['servers', '--json']);
  expect([listed.code, asJson.code]).toEqual([5, 5]);
  expect((JSON.parse(asJson.stdout) as ServerReport[]).map(({ state }) => state)).toContain('failed');
  texts.push(listed.stdout, listed.stderr, asJson.stdout, (await gateway.mcpx(['config'])).stdout);
  expectClean(texts.join('\n'));
  expect(listed.stdout).toContain('[LINEAR]');
});

test('results and errors of tools have the name in its place; an ordinary value stays in a result', async () => {
  const { host } = await open();
  for (const tool of ['fine', 'bad']) {
    const reply = await host.startCall(`answering__${tool}`).reply;
    expect(JSON.stringify(reply)).toContain('[LINEAR] in /srv/notes-of-all');
  }
  const error = errorOf(await host.startCall('answering__fail').reply);
  expect(JSON.stringify(error)).toContain('[LINEAR] in [FOLDER]');
});

test('what a server says of itself has the name in its place, for hosts and in reports', async () => {
  const { gateway, host } = await open();
  const texts = [host.welcome];
  texts.push((await gateway.mcpx(['servers', '--json'])).stdout, (await gateway.mcpx(['servers'])).stdout);
  expect(texts[0]).toContain('Use [LINEAR] in /srv/notes-of-all');
  expect(texts[1]).toContain('[LINEAR]');
  expectClean(texts.join('\n'));
});

test('also where it is written as JSON of other languages has it', async () => {
  const { host } = await open();
  const reply = await host.startCall('answering__slashes').reply;
  expect(JSON.stringify(reply)).toContain('[LINEAR] in ');
  expectClean(JSON.parse(JSON.stringify(reply).replaceAll('\\\\/', '/')).result);
  const value = `p/q=<&'é-${'9'.repeat(6)}`;
  const redactor = new Redactor([{ name: 'KEY', value, certain: true }]);
  const html = (text: string, chars: RegExp): string =>
    text.replace(chars, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const printed = JSON.stringify(value);
  for (const text of [
    printed,
    printed.replaceAll('/', '\\/'),
    html(printed, /[<>&]/g),
    html(printed, /[<>&=']/g),
    html(printed, /[\u0080-\uffff]/g),
  ])
    expect(redactor.json(text), text).toBe('"[KEY]"');
  // 15 bytes, so that their Base64 text ends where they do.
  const base64 = new Redactor([{ name: 'KEY', value: 'secret???>>>123', certain: true }]);
  expect(base64.json('"c2VjcmV0Pz8\\/Pj4+MTIz"')).toBe('"[KEY]"');
});
