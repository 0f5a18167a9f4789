// C47 in the inbox: a schema that can not be checked in time neither freezes the screen nor gets an answer.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { questionOf } from '../../fixtures/bombs.mjs';
import { member } from '../../src/protocol/json-text.ts';
import { until } from '../support/until.ts';
import { fakeTui } from '../tui/fake-tui.ts';

test.each([
  ['a branching $ref chain (anyOf)', '"x"'],
  ['a catastrophic pattern and its default', `${'a'.repeat(40)}!`],
])(
  '%s: the screen goes on, and the review is not reached',
  async (bomb, answer) => {
    const requestedSchema = member(questionOf(bomb), 'requestedSchema') ?? '';
    const tui = await fakeTui({
      columns: 80,
      rows: 24,
      asked: [{ server: 'bomb', mode: 'form', message: 'm', requestedSchema }],
    });
    const delay = monitorEventLoopDelay({ resolution: 5 });
    await tui.press('enter');
    await tui.type(answer);
    delay.enable();
    await tui.press('ctrl+r');
    await until('the verdict', () => tui.vt.text.includes('could not be checked in time'), 20_000);
    delay.disable();
    expect(tui.vt.text).not.toContain('Enter send');
    // The check itself takes two seconds.
    expect(delay.max / 1e6).toBeLessThan(1_500);
  },
  60_000,
);
