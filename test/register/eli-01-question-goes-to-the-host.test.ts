// ELI-01: elicitation/create goes to the host that declared it and whose revision has it; for all others the question waits.
import { describe, expect, test } from 'vitest';
import { HOST_TRANSPORTS, type Installation, startGateway } from '../support/gateway.ts';
import type { Host, HostOptions } from '../support/host.ts';
import { answersOf, CAN_ASK, type Scene, scene } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';
import { checkWire } from '../support/wire.ts';

const ANSWER = '{"action":"accept","content":{"repo":"me/thing"}}';

const ASKED = [
  ['2025-06-18', '{"elicitation":{}}'],
  ['2025-06-18', '{"elicitation":{"url":{}}}'],
  ['2025-11-25', '{"elicitation":{}}'],
  ['2025-11-25', '{"elicitation":{"form":{}}}'],
] as const;

const NOT_ASKED = [
  ['2024-11-05', '{"elicitation":{}}'],
  ['2025-03-26', '{"elicitation":{}}'],
  ['2025-06-18', '{}'],
  ['2025-06-18', '{"elicitation":true}'],
  ['2025-11-25', '{"elicitation":[]}'],
  ['2025-11-25', '{"elicitation":null}'],
  ['2025-11-25', '{"elicitation":{"url":{}}}'],
] as const;

/** The answer of the host reaches the upstream, and the row tells of it. */
async function isAsked(host: Host, gateway: Installation): Promise<void> {
  expect((await host.ask()).answers).toEqual([ANSWER]);
  expect(host.questions).toHaveLength(1);
  const row = (await gateway.rows(['--all'])).find(({ host: asked }) => asked?.name === nameOf(host));
  expect(row).toMatchObject({
    state: 'accepted',
    server: 'fixture',
    method: 'tools/call',
    tool: 'ask',
    host: { revision: host.revision, inline: true },
    answer: { action: 'accept', content: { repo: 'me/thing' }, by: 'host' },
  });
  expect(row?.deliveredAt).toBeDefined();
}

/** The question waits for the command line; the host never sees it. */
async function isNotAsked(host: Host, gateway: Installation): Promise<void> {
  const call = host.startCall('ask');
  const { id } = await until('the row', async () => (await gateway.rows())[0]);
  expect(await gateway.mcpx(['elicit', 'accept', id, '-F', 'repo=me/thing'])).toMatchObject({ code: 0 });
  expect(await answersOf(call.reply)).toEqual([ANSWER]);
  expect(host.questions).toEqual([]);
}

/** The name under which a host introduced itself. */
const nameOf = ({ wire }: Host): string => JSON.parse(wire[0]?.text ?? '').params.clientInfo.name;

const spoken = (revision: string, capabilities: string): HostOptions => ({
  revision,
  capabilities,
  name: `${revision} ${capabilities}`,
  answer: () => ({ result: ANSWER }),
});

describe('over HTTP', () => {
  test.each([
    ['every host that can show a form is asked', ASKED, isAsked],
    ['no other host is asked; a person answers', NOT_ASKED, isNotAsked],
  ] as const)('%s', async (_title, hosts, check) => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'http' });
    const gateway = await startGateway(scope, { servers: { fixture: upstream.entry } });
    for (const [revision, capabilities] of hosts) {
      const host = await gateway.connect(spoken(revision, capabilities));
      await check(host, gateway);
      await checkWire(host.wire, { revision });
    }
    await checkWire(upstream.wire(), { revision: upstream.revision });
  });
});

describe('over stdio', () => {
  const start = (revision: string, capabilities: string): Promise<Scene> =>
    scene({ transport: 'stdio', host: spoken(revision, capabilities) });

  test.each([ASKED[0], ASKED[2]])('a host at %s with %s is asked', async (revision, capabilities) => {
    const { host, gateway } = await start(revision, capabilities);
    await isAsked(host, gateway);
  });

  test.each([NOT_ASKED[0], NOT_ASKED[2], NOT_ASKED[6]])(
    'a host at %s with %s is not asked; a person answers',
    async (revision, capabilities) => {
      const { host, gateway } = await start(revision, capabilities);
      await isNotAsked(host, gateway);
    },
  );
});

test.each(HOST_TRANSPORTS)(
  'mcpx declares forms to an upstream, whatever the host over %s declared',
  async (transport) => {
    const { host } = await scene({ transport, host: { capabilities: '{}' } });
    const { client } = JSON.parse(await host.call('whoami'));
    const { elicitation } = JSON.parse(client).capabilities;
    expect(Object.keys(elicitation).length === 0 || 'form' in elicitation).toBe(true);
  },
);

describe('with the broker off', () => {
  const config = { elicit: { audience: 'host' } };

  test('a host that cannot be asked gets the upstream a cancel, and the row says why', async () => {
    const { host, rowIn } = await scene({ config });
    expect((await host.ask()).answers).toEqual(['{"action":"cancel"}']);
    expect(await rowIn('cancelled')).toMatchObject({ answer: { by: 'mcpx' }, reason: expect.any(String) });
  });

  test.each(['{}', CAN_ASK])('mcpx declares what the host declared: %s', async (capabilities) => {
    const { host } = await scene({ config, host: { capabilities } });
    const { client } = JSON.parse(await host.call('whoami'));
    expect('elicitation' in JSON.parse(client).capabilities).toBe(capabilities === CAN_ASK);
  });
});
