// ELI-08: no `mode` means form; a host whose revision has no mode is sent none; a mode that nobody knows is an error.
import { expect, test } from 'vitest';
import { CAN_ASK, scene } from '../support/scene.ts';

const rest = '"message":"m","requestedSchema":{"type":"object","properties":{}}';
const asked = (revision: string) =>
  scene({ host: { revision, capabilities: CAN_ASK, answer: () => ({ result: '{"action":"decline"}' }) } });

test.each(['2025-06-18', '2025-11-25'])(
  'a %s host is sent the mode only if its revision has one',
  async (revision) => {
    const { host, gateway } = await asked(revision);
    await host.ask({ params: `{"mode":"form",${rest}}` });
    await host.ask({ params: `{${rest}}` });
    const modes = host.questions.map(({ params }) => JSON.parse(params ?? '{}').mode);
    expect(modes).toEqual([revision === '2025-11-25' ? 'form' : undefined, undefined]);
    expect((await gateway.rows(['--all'])).map(({ mode }) => mode)).toEqual(['form', 'form']);
  },
);

test('an unknown mode is -32602 to the upstream, no row, and nobody is asked', async () => {
  const { host, gateway } = await asked('2025-11-25');
  const [error = ''] = (await host.ask({ params: `{"mode":"voice",${rest}}` })).answers;
  expect(JSON.parse(error)).toMatchObject({ code: -32602, message: expect.stringContaining('mode') });
  expect(host.questions).toEqual([]);
  expect(await gateway.rows(['--all'])).toEqual([]);
});
