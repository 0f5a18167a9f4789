// The everything server's trigger-url-elicitation through mcpx, both its paths: a question, and -32042 before one.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { gatewayWithHost, HOST_TRANSPORTS, type RowView } from '../support/gateway.ts';
import { toolText } from '../support/host.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { errorOf, FORM_AND_URL, paramsOf } from '../support/url.ts';
import { checkWire } from '../support/wire.ts';

const everything = dirname(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json'),
);
const servers = {
  everything: { command: process.execPath, args: [join(everything, 'dist', 'index.js'), 'stdio'] },
};
const TOOL = 'trigger-url-elicitation';
const URL = 'https://example.com/connect?x=1&y=2';
const ACCEPT = { result: '{"action":"accept"}' };

for (const transport of HOST_TRANSPORTS) {
  test(`over ${transport}: the question is put to a host that declared url, and its answer arrives`, async () => {
    const { host } = await gatewayWithHost(
      testScope(),
      transport,
      { spawn: true, servers },
      { capabilities: FORM_AND_URL },
    );
    for (const [action, said] of [
      ['accept', 'completed the URL elicitation'],
      ['decline', 'declined'],
      ['cancel', 'cancelled'],
    ] as const) {
      host.answerWith(() => ({ result: `{"action":"${action}"}` }));
      expect(await host.call(TOOL, { url: URL, message: 'Link it' })).toContain(said);
    }
    expect(host.questions.map(paramsOf)[0]).toMatchObject({
      mode: 'url',
      url: URL,
      message: 'everything (via mcpx) asks: Link it',
    });
    await checkWire(host.wire, { revision: '2025-11-25' });
  });

  test(`over ${transport}: its -32042 is asked, finished by the person, and the retry asks the question itself`, async () => {
    const gateway = await gatewayWithHost(
      testScope(),
      transport,
      { spawn: true, servers },
      { capabilities: FORM_AND_URL },
    );
    const { host } = gateway;
    const call = host.startCall(TOOL, { url: URL, errorPath: true });
    const first = await host.question(0);
    expect(paramsOf(first)).toMatchObject({ mode: 'url', url: 'https://modelcontextprotocol.io' });
    await host.reply(first, ACCEPT);
    const [row] = await until('the accepted row', async () => {
      const rows: RowView[] = await gateway.rows(['--state', 'accepted']);
      return rows.length === 1 && rows;
    });
    expect(await gateway.mcpx(['elicit', 'done', row?.id ?? ''])).toMatchObject({ code: 0 });
    const second = await host.question(1);
    expect(paramsOf(second)).toMatchObject({ mode: 'url', url: URL });
    await host.reply(second, ACCEPT);
    expect(toolText(await call.reply)).toContain('completed the URL elicitation');
    await checkWire(host.wire, { revision: '2025-11-25' });
  });
}

test('a host that shows nothing: a person answers both from the command line', async () => {
  const { host, rows, mcpx } = await gatewayWithHost(
    testScope(),
    'http',
    { spawn: true, servers },
    { capabilities: '{}' },
  );
  const call = host.startCall(TOOL, { url: URL, errorPath: true });
  const first = await until('the first row', async () => (await rows())[0]);
  expect(await mcpx(['elicit', 'accept', first.id, '--yes'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('recorded; everything is told once you have finished there'),
  });
  await mcpx(['elicit', 'done', first.id]);
  const second = await until('the second row', async () => (await rows())[0]);
  expect(await mcpx(['elicit', 'accept', second.id, '--yes'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('sent to everything'),
  });
  expect(toolText(await call.reply)).toContain('completed the URL elicitation');
});

test('declined, its error arrives with its data', async () => {
  const { host } = await gatewayWithHost(
    testScope(),
    'stdio',
    { spawn: true, servers },
    { capabilities: FORM_AND_URL, answer: () => ({ result: '{"action":"decline"}' }) },
  );
  const error = JSON.parse(errorOf(await host.startCall(TOOL, { url: URL, errorPath: true }).reply)) as {
    code: number;
    data: { elicitations: Record<string, unknown>[] };
  };
  expect(error.code).toBe(-32042);
  expect(error.data.elicitations).toEqual([
    expect.objectContaining({ mode: 'url', url: 'https://modelcontextprotocol.io' }),
  ]);
});
