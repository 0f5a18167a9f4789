// C25: hostile URLs: nothing is fetched, only http and https can be accepted, and whatever opens them gets one argument.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { scene } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { FORM_AND_URL, urlParams } from '../support/url.ts';

/** A web server that counts who comes. */
async function listener(): Promise<{ readonly port: number; hits(): number }> {
  const scope = testScope();
  let hits = 0;
  const server = createServer((_request, response) => {
    hits += 1;
    response.end();
  });
  server.on('connection', () => {
    hits += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.defer(() => server.close());
  return { port: (server.address() as AddressInfo).port, hits: () => hits };
}

test('no part of mcpx goes to the URL: not when it is asked, listed, shown, consented to or finished', async () => {
  const web = await listener();
  const url = `http://127.0.0.1:${web.port}/x?s=a&calc`;
  const { host, row, gateway } = await scene({ host: { capabilities: '{}' } });
  const call = host.startCall('ask', { params: urlParams({ url }) });
  const { id } = await row();
  for (const command of [
    ['list'],
    ['show', id],
    ['accept', id, '--dry-run'],
    ['accept', id, '--yes'],
    ['done', id],
  ])
    expect(await gateway.mcpx(['elicit', ...command])).toMatchObject({ code: 0 });
  expect(await call.reply).toHaveProperty('result', expect.stringContaining('accept'));
  expect(web.hits()).toBe(0);
});

test.each([
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/html,x',
  'vscode://x',
  'ftp://example.com/x',
])('%s is never put to a host, cannot be accepted, and can be declined', async (url) => {
  const { host, row, gateway } = await scene({
    host: { capabilities: FORM_AND_URL, answer: () => ({ result: '{"action":"accept"}' }) },
  });
  const call = host.startCall('ask', { params: urlParams({ url }) });
  const { id } = await row();
  const refused = await gateway.mcpx(['elicit', 'accept', id, '--yes', '--open']);
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect((await gateway.row(id)).state).toBe('pending');
  expect(await gateway.mcpx(['elicit', 'decline', id])).toMatchObject({ code: 0 });
  expect(await call.reply).toHaveProperty('result', expect.stringContaining('decline'));
  expect(host.questions).toEqual([]);
});

test.each([
  'https://example.com/?s=a&calc',
  'https://example.com/$(id)',
  'http://example.com/',
  'http://127.0.0.1:9/x',
])('%s can be accepted, and is shown whole before', async (url) => {
  const { host, row, gateway } = await scene({ host: { capabilities: '{}' } });
  const call = host.startCall('ask', { params: urlParams({ url }) });
  const { id } = await row();
  const shown = await gateway.mcpx(['elicit', 'show', id]);
  expect(shown.stdout).toContain(url);
  expect(/Warning: .*not encrypted/.test(shown.stdout)).toBe(url === 'http://example.com/');
  const accepted = await gateway.mcpx(['elicit', 'accept', id, '--yes']);
  expect(accepted).toMatchObject({ code: 0 });
  expect(accepted.stderr).toContain(url);
  expect(await call.reply).toHaveProperty('result', expect.stringContaining('accept'));
});

test('"not a url" is an error to the server, and nothing waits', async () => {
  const { host, gateway } = await scene({ host: { capabilities: FORM_AND_URL } });
  const { answers } = await host.ask({ params: urlParams({ url: 'not a url' }) });
  expect(JSON.parse(answers[0] ?? '')).toMatchObject({
    code: -32602,
    message: expect.stringContaining('url'),
  });
  expect(await gateway.rows(['--all'])).toEqual([]);
});
