// The states of a question without a terminal: what leads where, and what never does.
import { describe, expect, test } from 'vitest';
import type { Row, RowState } from '../../src/broker/types.ts';
import { glyphs } from '../../src/terminal/glyphs.ts';
import { initialState } from '../../src/tui/run.ts';
import { QUIET_MS } from '../../src/tui/state/question.ts';
import { reduce } from '../../src/tui/state/reduce.ts';
import type { Effect, Event, Question, State } from '../../src/tui/state/types.ts';

const NOW = Date.parse('2026-11-30T18:00:00.000Z');
const ID = 'elc-0000000000000001';

function row(more: Partial<Row> = {}): Row {
  return {
    id: ID,
    state: 'pending',
    server: 'github',
    mode: 'form',
    message: 'Which repository?',
    params: '{}',
    requestedSchema: '{"type":"object","properties":{"repo":{"type":"string"}},"required":["repo"]}',
    principal: 'local',
    audience: 'human',
    sensitive: false,
    createdAt: '2026-11-30T18:00:00.000Z',
    expiresAt: '2026-11-30T18:10:00.000Z',
    ...more,
  };
}

/** Plays events, drawing after each, and collects what the outside is asked to do. */
class Play {
  state: State;
  readonly effects: Effect[] = [];
  now = NOW;

  constructor(rows: readonly Row[] = [row()]) {
    const size = { columns: 80, rows: 24 };
    this.state = initialState({ size, now: NOW, glyphs: glyphs(true), from: 'here' });
    this.event({ type: 'loaded', rows, at: NOW, offset: 0 });
  }

  event(event: Event): this {
    const [next, effects] = reduce(this.state, event);
    this.state = next;
    this.effects.push(...effects);
    return this;
  }

  /** Keys with the screen drawn before each and a second between them. */
  press(...strokes: string[]): this {
    for (const stroke of strokes) {
      this.draw();
      this.now += 1_000;
      this.event({ type: 'key', stroke, at: this.now });
    }
    return this;
  }

  draw(): this {
    const gate = this.question?.gate.number;
    return gate === undefined ? this : this.event({ type: 'drawn', gate, at: this.now });
  }

  get question(): Question | undefined {
    return this.state.questions.get(ID);
  }
}

const REVIEW = ['enter', 'x', 'enter'];

test('one key after the other leads from the inbox to the answer', () => {
  const play = new Play().press(...REVIEW);
  expect(play.question?.stage).toBe('review');
  expect(play.effects).toEqual([]);
  play.press('enter');
  expect(play.question?.stage).toBe('sending');
  expect(play.effects).toEqual([{ do: 'answer', id: ID, action: 'accept', content: '{"repo":"x"}' }]);
});

test('an answer is sent once, whatever is pressed while it is under way and afterwards', () => {
  const play = new Play().press(...REVIEW, 'enter', 'enter', 'enter', 'ctrl+d', 'ctrl+x', 'y', 'esc');
  expect(play.effects).toHaveLength(1);
  const accepted = row({ state: 'accepted', answer: { action: 'accept', by: 'tui', at: row().createdAt } });
  play.event({ type: 'settled', row: accepted, won: true, at: play.now });
  expect(play.question?.stage).toBe('over');
  expect(Object.isFrozen(play.question)).toBe(true);
  const before = play.question;
  play.press('tab', 'enter', 'enter', 'ctrl+d', 'ctrl+x', 'ctrl+r', 'e', 'y', 'space', 'esc');
  play.event({ type: 'refused', id: ID, message: 'late' });
  play.event({ type: 'edited', id: ID, name: 'repo', text: 'late' });
  expect({ ...play.question, gate: undefined, top: undefined }).toEqual({
    ...before,
    gate: undefined,
    top: undefined,
  });
  expect(play.effects).toHaveLength(1);
});

test.each<[string, number, boolean]>([
  ['before it is drawn', -1, false],
  ['at once', 0, false],
  ['after 300 ms', 300, false],
  ['one millisecond too soon', QUIET_MS - 1, false],
  ['in time', QUIET_MS, true],
])('Enter on the review %s', (_when, after, sends) => {
  const play = new Play().press(...REVIEW);
  if (after >= 0) play.draw();
  play.event({ type: 'key', stroke: 'enter', at: play.now + Math.max(0, after) });
  expect(play.effects.length > 0).toBe(sends);
});

test('a drawing of an older screen does not open the gate', () => {
  const play = new Play().press('enter', 'x').draw();
  const old = play.question?.gate.number ?? 0;
  play.event({ type: 'key', stroke: 'enter', at: play.now + 1_000 });
  expect(play.question?.stage).toBe('review');
  play.event({ type: 'drawn', gate: old, at: play.now });
  play.event({ type: 'key', stroke: 'enter', at: play.now + 60_000 });
  expect(play.effects).toEqual([]);
});

describe('a row that ends elsewhere', () => {
  test.each<RowState>(['accepted', 'declined', 'cancelled', 'expired', 'withdrawn', 'lost'])(
    '%s ends its question',
    (state) => {
      for (const keys of [['enter', 'x'], REVIEW, ['enter', 'ctrl+d']]) {
        const play = new Play().press(...keys);
        play.event({ type: 'row', row: row({ state }), isNew: false, at: play.now });
        expect(play.question?.stage).toBe('over');
        expect(play.question?.draft.get('repo')).toBe(keys.includes('x') ? '"x"' : undefined);
        expect(play.press('enter', 'y', 'enter').effects).toEqual([]);
      }
    },
  );

  test('a late report does not bring it back', () => {
    const play = new Play().event({ type: 'row', row: row({ state: 'expired' }), isNew: false, at: NOW });
    play.event({ type: 'row', row: row(), isNew: true, at: NOW });
    expect(play.state.rows.get(ID)?.state).toBe('expired');
    expect(play.effects).toEqual([]);
  });
});

test('what is opened again stands at the fields, not at the review', () => {
  const play = new Play().press(...REVIEW, 'esc', 'esc', 'enter');
  expect(play.question).toMatchObject({ stage: 'form', draft: new Map([['repo', '"x"']]) });
  const again = new Play().press(...REVIEW);
  again.event({ type: 'row', row: row({ id: 'elc-0000000000000002' }), isNew: true, at: again.now });
  expect(again.state.open).toBe(ID);
  expect(again.effects).toEqual([{ do: 'announce', row: row({ id: 'elc-0000000000000002' }) }]);
});

test('Esc and quitting ask nothing of the outside but to go', () => {
  const play = new Play().press('enter', 'x', 'esc', 'q', 'q');
  expect(play.effects).toEqual([{ do: 'quit', interrupted: false }]);
});

describe('a URL', () => {
  const url = (more: Partial<Row> = {}): Row => row({ mode: 'url', url: 'https://example.com/', ...more });

  test('opens first, and consents when that went well', () => {
    const play = new Play([url()]).press('enter', 'o');
    expect(play.effects).toEqual([{ do: 'open', id: ID, url: 'https://example.com/' }]);
    play.event({ type: 'opened', id: ID, failure: undefined });
    expect(play.effects[1]).toEqual({ do: 'answer', id: ID, action: 'accept' });
    play.event({ type: 'settled', row: url({ state: 'accepted' }), won: true, at: play.now });
    expect(play.question?.stage).toBe('waiting');
    play.event({
      type: 'row',
      row: url({ state: 'accepted', completedAt: row().createdAt }),
      isNew: false,
      at: play.now,
    });
    expect(play.question?.stage).toBe('over');
  });

  test('one that was answered elsewhere while the browser started sends nothing', () => {
    const play = new Play([url()]).press('enter', 'o');
    play.event({ type: 'row', row: url({ state: 'declined' }), isNew: false, at: play.now });
    play.event({ type: 'opened', id: ID, failure: 'It could not be opened.' });
    expect(play.question?.stage).toBe('over');
    expect(play.effects).toHaveLength(1);
  });

  test('Enter and space consent to nothing', () => {
    expect(new Play([url()]).press('enter', 'enter', 'space', 'enter').effects).toEqual([]);
  });
});
