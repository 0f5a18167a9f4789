// ELI-13: what a server asks for in a form and should not have: seen as such, and refused outright where the setting says so.
import { expect, test } from 'vitest';
import { CAN_ASK, scene } from '../support/scene.ts';
import { holding } from '../support/traces.ts';

const form = (properties: object) =>
  JSON.stringify({ message: 'm', requestedSchema: { type: 'object', properties } });
const params = form({ token: { type: 'string' }, email: { type: 'string' } });

test('a form that asks for a secret is sensitive, one that does not is not', async () => {
  const it = await scene();
  it.host.startCall('ask', { params: [params, form({ tokenizer: { type: 'string' } })] });
  const rows = await it.pending(2);
  const sensitive = rows.map((row) => [
    Object.keys((row.requestedSchema as { properties: object }).properties)[0],
    (row as unknown as { sensitive: boolean }).sensitive,
  ]);
  expect(Object.fromEntries(sensitive)).toEqual({ token: true, tokenizer: false });
});

test('elicit.sensitive "decline": the host is not even asked, and the row says by what', async () => {
  const it = await scene({ host: { capabilities: CAN_ASK }, config: { elicit: { sensitive: 'decline' } } });
  expect((await it.host.ask({ params })).answers).toEqual(['{"action":"decline"}']);
  expect(it.host.questions).toEqual([]);
  expect(await it.rowIn('declined')).toMatchObject({ answer: { action: 'decline', by: 'rule:sensitive' } });
});

test('what is no secret is kept and shown as ever', async () => {
  const it = await scene({
    host: {
      capabilities: CAN_ASK,
      answer: () => ({ result: '{"action":"accept","content":{"a":"plain-5d2"}}' }),
    },
  });
  await it.host.ask({ params: form({ a: { type: 'string' } }) });
  expect((await it.rowIn('accepted')).answer?.content).toEqual({ a: 'plain-5d2' });
  expect(holding(it.gateway.stateDir, 'plain-5d2')).not.toEqual([]);
});
