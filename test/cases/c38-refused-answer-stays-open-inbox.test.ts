// C38: an answer that is refused leaves the question on the screen with the reason, and it can be sent again.
import { expect, test } from 'vitest';
import { McpxError } from '../../src/errors.ts';
import { fakeTui } from '../tui/fake-tui.ts';

const TEXT = { schema: { properties: { repo: { type: 'string' } }, required: ['repo'] } };

test.each([
  new McpxError('forbidden', 'The gateway takes no answer with this token (403).', 'Set MCPX_TOKEN.'),
  new McpxError('invalid_answer', 'The answer does not fit the question (422).'),
  new McpxError('store_busy', 'The store is locked by another process.', 'Try again.'),
  new Error('socket hang up'),
])('$message', async (refusal) => {
  const tui = await fakeTui({ asked: [TEXT] });
  await tui.press('enter');
  await tui.type('me/thing');
  await tui.press('enter');
  await tui.settle();
  tui.source.refusal = refusal;
  await tui.press('enter');
  const screen = await tui.see(`✗ Not sent: ${refusal.message}`);
  expect(screen).toContain('"me/thing" (text)');
  expect(tui.source.rows.get('elc-0000000000000001')?.state).toBe('pending');
  await tui.settle();
  await tui.press('enter');
  await tui.see('Sent to github');
  expect(tui.source.answers).toHaveLength(1);
});

test('a decline that is refused leaves the question where it was', async () => {
  const tui = await fakeTui({ asked: [TEXT] });
  await tui.press('enter');
  await tui.type('kept');
  await tui.press('ctrl+d');
  await tui.settle();
  tui.source.refusal = new McpxError('unreachable', 'The gateway cannot be reached.');
  await tui.press('y');
  expect(await tui.see('Not sent: The gateway cannot be reached.')).toContain('│ kept');
});
