// C08: whoever declares url mode must be able to show it: no answer is made up, and nothing is declared that nobody can do.
import { expect, test } from 'vitest';
import { scene } from '../support/scene.ts';
import { FORM_AND_URL, paramsOf, urlParams } from '../support/url.ts';

const QUESTION = urlParams({ url: 'https://mcp.example.com/connect' });

test('a host that declared url is asked, and its answer is its own', async () => {
  const { host, row } = await scene({ host: { capabilities: FORM_AND_URL } });
  const call = host.startCall('ask', { params: QUESTION });
  const question = await host.question();
  expect(paramsOf(question)).toMatchObject({ mode: 'url', url: 'https://mcp.example.com/connect' });
  expect(await row()).toMatchObject({ state: 'pending', mode: 'url' });
  await host.reply(question, { result: '{"action":"decline"}' });
  expect(await call.reply).toHaveProperty('result', expect.stringContaining('decline'));
});

test('without a host for it the question waits where a person finds it', async () => {
  const { host, row, gateway } = await scene({ host: { capabilities: '{}' } });
  const call = host.startCall('ask', { params: QUESTION });
  const { id } = await row();
  const listed = await gateway.mcpx(['elicit', 'list']);
  expect(listed.stdout).toContain(id);
  expect(listed.stdout).toContain('url');
  expect(host.questions).toEqual([]);
  await gateway.mcpx(['elicit', 'cancel', id]);
  expect(await call.reply).toHaveProperty('result', expect.stringContaining('cancel'));
});

test('where nobody can show a URL, url is not declared, and one that comes all the same is cancelled, not declined', async () => {
  const { host, upstream, gateway } = await scene({
    host: { capabilities: '{"elicitation":{"form":{}}}' },
    config: { elicit: { audience: 'host' } },
  });
  expect((await host.ask({ params: QUESTION })).answers).toEqual(['{"action":"cancel"}']);
  const hello = await upstream.message('initialize', ({ method }) => method === 'initialize');
  expect(hello['params']).toMatchObject({ capabilities: { elicitation: { form: {} } } });
  expect(JSON.stringify(hello)).not.toContain('"url"');
  const [row] = await gateway.rows(['--all']);
  expect(row).toMatchObject({ state: 'cancelled', answer: { by: 'mcpx' }, reason: expect.any(String) });
});
