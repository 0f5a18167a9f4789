import { expect, test } from 'vitest';
import { bench } from './run.ts';

test.each([
  ['decline', 'declined'],
  ['cancel', 'cancelled'],
] as const)('C23, ELI-03: %s is its own answer and carries no content', async (action, state) => {
  const { run, ask, broker } = await bench();
  const row = await ask({ repo: { type: 'string' } }, { required: ['repo'] });
  void broker.settled(row.id).then(() => broker.delivered(row.id));
  const { code, stdout } = await run(['elicit', action, row.id.slice(0, 10), '--json']);
  expect(code).toBe(0);
  const printed = JSON.parse(stdout);
  expect(printed).toMatchObject({ id: row.id, state, answer: { action, by: 'cli' } });
  expect(printed.answer).not.toHaveProperty('content');
});
