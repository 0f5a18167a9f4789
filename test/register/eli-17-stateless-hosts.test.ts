// ELI-17: a stateless host needs no session, no header of mcpx's and no discovery: an upstream that asks gives it input_required.
import { expect, test } from 'vitest';
import { gatewayWithHost, install, MCPX, serveHttp } from '../support/gateway.ts';
import { askedBy, interimOf, responsesOf } from '../support/modern-host.ts';
import { modernHttpHost } from '../support/modern-host-http.ts';
import { modernStdioHost } from '../support/modern-host-stdio.ts';
import { accept, answersIn, errorOf, FORM_AND_URL, modernScene } from '../support/modern-scene.ts';
import { startNode } from '../support/processes.ts';
import { testScope } from '../support/scope.ts';
import { fixtureUpstream } from '../support/upstream.ts';
import { checkWire } from '../support/wire.ts';

for (const revision of ['2025-06-18', '2025-11-25', '2026-07-28'])
  for (const transport of ['http', 'stdio'] as const)
    test(`the first thing a host sends is a call that asks, over http; upstream at ${revision} over ${transport}`, async () => {
      const scope = testScope();
      const upstream = await fixtureUpstream(scope, { revision, transport });
      const gateway = await serveHttp(scope, install(scope, { servers: { fixture: upstream.entry } }));
      const host = modernHttpHost(gateway.url, { capabilities: '{"elicitation":{}}' });
      const started = performance.now();
      const interim = askedBy(await host.call('ask').reply);
      // Nothing spins through rounds on its own until it gives up.
      expect(interim.requests).toHaveLength(1);
      expect(performance.now() - started).toBeLessThan(10_000);
      const [input] = interim.requests;
      expect(input).toMatchObject({
        method: 'elicitation/create',
        params: { message: 'fixture (via mcpx) asks: Which repository?' },
      });
      const responses = responsesOf([[input?.key ?? '', accept('me/x')]]);
      // Another connection altogether: the retry stands alone too.
      const other = modernHttpHost(gateway.url, { capabilities: '{"elicitation":{}}' });
      const reply = await other.call('ask', {}, { state: interim.state, responses }).reply;
      expect(interimOf(reply)).toBeUndefined();
      expect(answersIn(reply)).toEqual([accept('me/x')]);
      for (const { wire } of [host, other]) await checkWire(wire, { revision: '2026-07-28' });
    });

test('over stdio as well, beside nothing else on the pipe', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const { env } = install(scope, { servers: { fixture: upstream.entry } });
  const { child } = startNode(scope, [MCPX, 'serve', '--stdio'], { env, rawStdout: true });
  const host = modernStdioHost(child, { capabilities: '{"elicitation":{}}' });
  expect(answersIn(await host.through('ask', { count: 2 }, ({ key }) => accept(key.slice(0, 3))))).toEqual([
    accept('elc'),
    accept('elc'),
  ]);
  await checkWire(host.wire, { revision: '2026-07-28' });
});

test('a host that declares nothing is not asked: its question waits in the broker, and the call is answered in the end', async () => {
  const it = await modernScene({ capabilities: '{}', upstream: { revision: '2025-11-25' } });
  const sent = it.host.call('ask');
  const row = await it.rowIn('pending');
  await it.gateway.mcpx(['elicit', 'accept', row.id, '-F', 'repo=by/hand']);
  expect(answersIn(await sent.reply)).toEqual([accept('by/hand')]);
});

test('stateless hosts and hosts with sessions are served side by side, each in its own way', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'http' });
  const gateway = await gatewayWithHost(
    scope,
    'http',
    { servers: { fixture: upstream.entry } },
    { capabilities: FORM_AND_URL, answer: () => ({ result: accept('legacy') }) },
  );
  const { url } = gateway as unknown as { url: string };
  const modern = modernHttpHost(url, { capabilities: FORM_AND_URL });
  const [old, young] = await Promise.all([
    gateway.host.ask({ nonce: 1 }),
    modern.through('ask', { nonce: 2 }, () => accept('modern')),
  ]);
  expect(old.answers).toEqual([accept('legacy')]);
  expect(answersIn(young)).toEqual([accept('modern')]);
});

test('a tool that never stops asking is given up after 10 rounds, with an error that says so', async () => {
  const it = await modernScene();
  const rounds = Array.from({ length: 14 }, (_, index) => ({
    inputRequests: `{"k${index}":{"method":"elicitation/create","params":{"mode":"form","message":"again","requestedSchema":{"type":"object","properties":{}}}}}`,
    requestState: `S${index}`,
  }));
  let asked = 0;
  const reply = await it.host.through('rounds', { rounds }, () => {
    asked += 1;
    return '{"action":"accept","content":{}}';
  });
  expect(errorOf(reply).message).toContain('10 rounds');
  expect(asked).toBe(10);
  expect(await it.gateway.rows()).toEqual([]);
});
