// C47: what a hostile server's schema, pattern, default or message costs, it costs that server alone; and what nobody can check
// in time does not fit.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCHEMAS } from '../../fixtures/bombs.mjs';
import { answersOf, explode, type Siege, STRETCH, siege, toolOf, waitedWhile } from '../support/bombs.ts';
import { createScope } from '../support/create-scope.ts';
import { restOf } from '../support/rest.ts';
import { until } from '../support/until.ts';

const scope = createScope();
let it: Siege;
beforeAll(async () => {
  it = await siege(scope);
});
afterAll(() => scope.close());

const CHAIN = 'a branching $ref chain (anyOf)';
const PATTERN = 'a catastrophic pattern and its default';

test.each([
  [CHAIN, 2, 400],
  [PATTERN, 10, 400],
  ['nested quantifiers deep in a schema', 1, 400],
  ['uniqueItems on a huge list', 1, 400],
  ['an endless reference', 10, 400],
  ['nesting of 18,000 levels', 10, 400],
  ['a default of 100,000 levels', 10, 400],
  ['many names that nobody asked for', 10, 400],
  ['a message of 64 KiB of marks', 10, 200],
])(
  '%s, %i at once, holds up no other host, and fits nothing it should not',
  async (bomb, times, status) => {
    let statuses: number[] = [];
    it.stall();
    const { calls } = await waitedWhile(it.other, async () => {
      statuses = await explode(it, bomb, times);
    });
    expect(statuses).toEqual(Array.from({ length: times }, () => status));
    expect(calls).toBeGreaterThan(0);
    expect(it.stall()).toBeLessThan(STRETCH);
  },
  60_000,
);

test('an honest answer to another server is checked while the bombs of one run', async () => {
  const rest = restOf(it.gateway);
  const bombs = explode(it, CHAIN, 2);
  const call = answersOf(it.attacker, toolOf('honest', 'schemas'), { bomb: PATTERN });
  const row = await until('the honest question', async () =>
    (await rest.rows()).find(({ server }) => server === 'honest'),
  );
  const { status } = await rest.post(`/v1/elicit/${row.id}/accept`, { content: { a: 'aaa' } });
  expect(status).toBe(200);
  expect(await call).toEqual({ accept: 1 });
  // All but the first of them wait behind it.
  expect(await Promise.race([bombs, 'the bombs still run'])).toBe('the bombs still run');
  await bombs;
}, 60_000);

test('a rule whose expression does not end decides nothing, and the row says so', async () => {
  const call = answersOf(it.attacker, toolOf('bomb', 'schemas'), { bomb: 'a message against a rule' });
  const rest = restOf(it.gateway);
  const row = await until('the question', async () => (await rest.rows())[0]);
  expect(row.reason).toContain('could not be checked against ^(a+)+$ in time');
  await rest.post(`/v1/elicit/${row.id}/cancel`);
  expect(await call).toEqual({ cancel: 1 });
});

test.each([
  ['-F', ['-F', `a=${JSON.stringify(SCHEMAS[CHAIN]?.answer?.['a'])}`]],
  ['--input', ['--input', '-']],
])(
  'the command line refuses with exit 8 (%s), and the question can still be declined',
  async (_way, args) => {
    const call = answersOf(it.attacker, toolOf('bomb', 'schemas'), { bomb: CHAIN });
    const rest = restOf(it.gateway);
    const row = await until('the question', async () => (await rest.rows())[0]);
    const input = JSON.stringify(SCHEMAS[CHAIN]?.answer);
    const { code, stderr } = await it.gateway.mcpx(['elicit', 'accept', row.id, ...args], { input });
    expect({ code, stderr }).toMatchObject({ code: 8, stderr: expect.stringContaining('in time') });
    expect((await it.gateway.mcpx(['elicit', 'show', row.id])).code).toBe(0);
    expect((await it.gateway.mcpx(['elicit', 'decline', row.id])).code).toBe(0);
    expect(await call).toEqual({ decline: 1 });
  },
  60_000,
);
