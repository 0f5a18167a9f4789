// Rows of sealed rounds: answered on any surface, the first commit wins; what the host cannot take waits on its open request.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Scope } from '../../support/create-scope.ts';
import { startGateway } from '../../support/gateway.ts';
import { toolText } from '../../support/host.ts';
import { askedBy, interimOf, responsesOf } from '../../support/modern-host.ts';
import { modernHttpHost } from '../../support/modern-host-http.ts';
import { accept, answersIn, errorOf, FORM_AND_URL, modernScene } from '../../support/modern-scene.ts';
import { testScope } from '../../support/scope.ts';
import { until } from '../../support/until.ts';
import { fixtureUpstream } from '../../support/upstream.ts';

/** A server of 2026-07-28 that says it has resources, and knows none. */
async function deafServer(scope: Scope): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const discovered = {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { resources: {} },
    ttlMs: 0,
    cacheScope: 'private',
  };
  const empty = {
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    resources: [],
    resourceTemplates: [],
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    const { id, method } = JSON.parse(body) as { id: unknown; method: string };
    const reply =
      method === 'server/discover'
        ? { result: discovered }
        : method.endsWith('/list')
          ? { result: empty }
          : { error: { code: -32002, message: 'Resource not found' } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.defer(() => server.close());
  scope.defer(() => server.closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, bodies };
}

const ONE = (answer: string): string => responsesOf([['q1', answer]]);
const URL_QUESTION = JSON.stringify({
  mode: 'url',
  url: 'https://mcp.example.com/connect?x=1&y=2',
  message: 'Link account',
});
const FORM_QUESTION = JSON.stringify({
  mode: 'form',
  message: 'Which repository?',
  requestedSchema: { type: 'object', properties: { repo: { type: 'string' } }, required: ['repo'] },
});

test('an answer on the command line goes with the next try, whatever the host brings then', async () => {
  const it = await modernScene();
  const first = askedBy(await it.host.call('ask').reply);
  const row = await it.rowIn('pending');
  expect(row).toMatchObject({ host: { inline: true, revision: '2026-07-28' }, tool: 'ask' });
  const accepted = await it.gateway.mcpx(['elicit', 'accept', row.id, '-F', 'repo=cli/repo']);
  expect(accepted).toMatchObject({ code: 0 });
  expect(accepted.stdout + accepted.stderr).toContain("with the host's next try");
  expect(await it.rowIn('accepted')).not.toHaveProperty('deliveredAt');
  expect(it.calls('ask')).toBe(1);
  const reply = await it.host.call('ask', {}, { state: first.state, responses: ONE(accept('host/repo')) })
    .reply;
  expect(answersIn(reply)).toEqual([accept('cli/repo')]);
  expect(await it.rowIn('accepted')).toMatchObject({
    answer: { by: 'cli' },
    deliveredAt: expect.any(String),
  });
});

test('consent to the URL of a round that the host holds goes with its next try too', async () => {
  const it = await modernScene();
  askedBy(await it.host.call('ask', { params: [URL_QUESTION] }).reply);
  const row = await it.rowIn('pending');
  const accepted = await it.gateway.mcpx(['elicit', 'accept', row.id, '--yes']);
  expect(accepted.code).toBe(0);
  expect(accepted.stdout).toContain("with the host's next try");
});

test('a retry that brings nothing finds the answer of the command line', async () => {
  const it = await modernScene();
  const first = askedBy(await it.host.call('ask').reply);
  const row = await it.rowIn('pending');
  await it.gateway.mcpx(['elicit', 'decline', row.id]);
  const reply = await it.host.call('ask', {}, { state: first.state }).reply;
  expect(answersIn(reply)).toEqual(['{"action":"decline"}']);
});

test('once the host has answered, the command line is told who was first', async () => {
  const it = await modernScene();
  const args = { count: 2 };
  const first = askedBy(await it.host.call('ask', args).reply);
  askedBy(await it.host.call('ask', args, { state: first.state, responses: ONE(accept('host')) }).reply);
  const row = await it.rowIn('accepted');
  expect(row).not.toHaveProperty('deliveredAt');
  expect(await it.gateway.mcpx(['elicit', 'accept', row.id, '-F', 'repo=late'])).toMatchObject({ code: 7 });
});

test('what the host cannot take is waited for after its own answers are there, and the upstream gets all at once', async () => {
  const it = await modernScene({ capabilities: '{"elicitation":{}}' });
  const args = { params: [FORM_QUESTION, URL_QUESTION], force: true };
  const first = askedBy(await it.host.call('ask', args).reply);
  expect(first.requests.map(({ key }) => key)).toEqual(['q1']);
  const sent = it.host.call('ask', args, { state: first.state, responses: ONE(accept('mine')) });
  await it.rowIn('accepted');
  const kept = await it.rowIn('pending');
  expect(kept).toMatchObject({ mode: 'url', host: { inline: false } });
  expect(it.calls('ask')).toBe(1);
  expect(await it.gateway.mcpx(['elicit', 'accept', kept.id, '--yes'])).toMatchObject({ code: 0 });
  expect(answersIn(await sent.reply)).toEqual([accept('mine'), '{"action":"accept"}']);
  expect(it.calls('ask')).toBe(2);
  for (const row of await it.gateway.rows(['--all'])) expect(row).toHaveProperty('deliveredAt');
});

test('a host that can take nothing never sees an interim result, also over several rounds', async () => {
  const it = await modernScene({ capabilities: '{}' });
  const sent = it.host.call('ask', { count: 2, together: false });
  for (const [index, repo] of ['one', 'two'].entries()) {
    const row = await until('the next row', async () => {
      const rows = await it.gateway.rows();
      return (await it.gateway.rows(['--all'])).length === index + 1 && rows[0];
    });
    await it.gateway.mcpx(['elicit', 'accept', row.id, '-F', `repo=${repo}`]);
  }
  const reply = await sent.reply;
  expect(interimOf(reply)).toBeUndefined();
  expect(answersIn(reply)).toEqual([accept('one'), accept('two')]);
});

test('a host that can take nothing and goes takes its questions with it, since it has no state to come back with', async () => {
  const it = await modernScene({ capabilities: '{}' });
  const sent = it.host.call('ask');
  await it.rowIn('pending');
  sent.close();
  const row = await it.rowIn('withdrawn');
  expect(row.reason).toEqual(expect.any(String));
  expect(it.calls('ask')).toBe(1);
});

test('with the broker off, a host that did not declare what is needed is told so: -32021, HTTP 400, no row left open', async () => {
  const it = await modernScene({
    capabilities: '{"elicitation":{"form":{}}}',
    config: { elicit: { audience: 'host' } },
  });
  const reply = await it.host.call('ask', { params: [FORM_QUESTION, URL_QUESTION], force: true }).reply;
  expect(errorOf(reply)).toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { elicitation: { url: {} } } },
  });
  expect(await it.gateway.rows()).toEqual([]);
});

test('an entry that is no question is asked of a host that declared it, and fails the call of one that did not', async () => {
  const it = await modernScene({ capabilities: '{"roots":{},"elicitation":{}}' });
  const roots = '{"roots":[{"uri":"file:///work","name":"w"}]}';
  const reply = await it.host.through('roots', {}, ({ method }) =>
    method === 'roots/list' ? roots : undefined,
  );
  expect(answersIn(reply)).toEqual([roots]);
  const bare = it.hostWith('{}');
  expect(errorOf(await bare.call('roots', { force: true }).reply).message).toContain('roots');
});

test('a resource can be asked about too, and its retry is bound to it', async () => {
  const it = await modernScene();
  const uri = 'fixture://ask';
  const first = askedBy(await it.host.send('resources/read', JSON.stringify({ uri })).reply);
  const responses = responsesOf(first.requests.map(({ key }) => [key, accept('r')]));
  const reply = await it.host.send('resources/read', JSON.stringify({ uri }), {
    state: first.state,
    responses,
  }).reply;
  expect('result' in reply && reply.result).toContain(JSON.stringify(accept('r')));
});

test("a server's state goes back to that server alone, also where another is asked for the resource first", async () => {
  const scope = testScope();
  const deaf = await deafServer(scope);
  const upstream = await fixtureUpstream(scope, { transport: 'http', revision: '2026-07-28' });
  const gateway = await startGateway(scope, {
    servers: { deaf: { url: deaf.url }, fixture: upstream.entry },
  });
  const host = modernHttpHost(gateway.url, { capabilities: FORM_AND_URL });
  const params = JSON.stringify({ uri: `fixture://ask?params=${encodeURIComponent(FORM_QUESTION)}` });
  const first = askedBy(await host.send('resources/read', params).reply);
  const responses = responsesOf(first.requests.map(({ key }) => [key, accept('r')]));
  const reply = await host.send('resources/read', params, { state: first.state, responses }).reply;
  expect('result' in reply && reply.result).toContain(JSON.stringify(accept('r')));
  expect(deaf.bodies.filter((body) => body.includes('"resources/read"'))).toHaveLength(1);
  expect(deaf.bodies.some((body) => /requestState|inputResponses/.test(body))).toBe(false);
});

test('progress goes to the host under the token of the request that is open', async () => {
  const it = await modernScene();
  const reply = await it.host.call('progress', { count: 2 }, { meta: '"progressToken":"one"' }).reply;
  expect(toolText(reply)).toBe('sent 2');
  const told = it.host.wire.filter(
    ({ dir, text }) => dir === 'in' && text.includes('notifications/progress'),
  );
  expect(told.map(({ text }) => (JSON.parse(text) as { params: unknown }).params)).toMatchObject([
    { progressToken: 'one', progress: 1 },
    { progressToken: 'one', progress: 2 },
  ]);
});

const SECRET_FORM = {
  schema: { type: 'object', properties: { password: { type: 'string' } }, required: ['password'] },
};

test('once a secret was given, a retry that says no in its place is asked again, and nothing goes upstream', async () => {
  const it = await modernScene();
  const secret = '{"action":"accept","content":{"password":"open sesame"}}';
  const first = askedBy(await it.host.call('ask', SECRET_FORM).reply);
  const retry = (answer: string) =>
    it.host.call('ask', SECRET_FORM, { state: first.state, responses: ONE(answer) }).reply;
  expect(answersIn(await retry(secret))).toEqual([secret]);
  const again = askedBy(await retry('{"action":"decline"}'));
  expect(again.requests.map(({ key }) => key)).toEqual(['q1']);
  expect(it.calls('ask')).toBe(2);
  expect(answersIn(await retry(secret))).toEqual([secret]);
});

test('a secret that the host cannot be asked for can be refused only, and the hint says so', async () => {
  const it = await modernScene({ capabilities: '{}' });
  const sent = it.host.call('ask', SECRET_FORM);
  const { id } = await it.rowIn('pending');
  const refused = await it.gateway.mcpx(['elicit', 'accept', id, '-F', 'password=@-'], { input: 'sesame' });
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('nobody can accept it');
  await it.gateway.mcpx(['elicit', 'decline', id]);
  expect(answersIn(await sent.reply)).toEqual(['{"action":"decline"}']);
});
