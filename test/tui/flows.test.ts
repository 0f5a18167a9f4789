// What a person does with the inbox, key by key, on a terminal in memory.
import { describe, expect, test } from 'vitest';
import { McpxError } from '../../src/errors.ts';
import { until } from '../support/until.ts';
import type { Asked } from './fake-source.ts';
import { type FakeTui, fakeTui } from './fake-tui.ts';

const REPO: Asked = {
  schema: { properties: { repo: { type: 'string', minLength: 3 } }, required: ['repo'] },
};
const TWO: Asked = {
  schema: {
    properties: { repo: { type: 'string' }, count: { type: 'integer', maximum: 10 } },
    required: ['repo'],
  },
};
const FIRST = 'elc-0000000000000001';
const field = (schema: unknown, required = true): Asked => ({
  schema: { properties: { it: schema }, required: required ? ['it'] : [] },
});

/** From the review that is open to the answer that was sent. */
async function send(tui: FakeTui): Promise<string | undefined> {
  await tui.see('This is what github gets');
  // A form in which nothing was entered stands on "go back".
  if (tui.vt.text.includes('[Go back]')) await tui.press('tab');
  await tui.settle();
  await tui.press('enter');
  await tui.see('Sent to');
  return tui.source.answers.at(-1)?.content;
}

describe('every kind of field is answered with the keyboard', () => {
  test.each<[string, unknown, string[], string]>([
    ['text', { type: 'string' }, ['m', 'e', '/', 'j', 'enter'], '{"it":"me/j"}'],
    [
      'text with every letter that is a key elsewhere',
      { type: 'string' },
      ['k', 'q', '?', 'y', 'G', 'space', '1', 'enter'],
      '{"it":"kq?yG 1"}',
    ],
    ['integer', { type: 'integer' }, ['1', '2', 'enter'], '{"it":12}'],
    ['number', { type: 'number' }, ['-', '0', '.', '5', 'enter'], '{"it":-0.5}'],
    ['yes', { type: 'boolean' }, ['y'], '{"it":true}'],
    ['no', { type: 'boolean' }, ['n'], '{"it":false}'],
    ['yes by the arrow', { type: 'boolean' }, ['left', 'left', 'enter'], '{"it":true}'],
    ['no, changed', { type: 'boolean' }, ['left', 'space', 'space', 'enter'], '{"it":false}'],
    ['select', { type: 'string', enum: ['a', 'b', 'c'] }, ['down', 'enter'], '{"it":"b"}'],
    ['select by digit', { type: 'string', enum: ['a', 'b', 'c'] }, ['3'], '{"it":"c"}'],
    [
      'select with titles',
      { type: 'string', oneOf: [{ const: 'x', title: 'One' }] },
      ['enter'],
      '{"it":"x"}',
    ],
    [
      'select from the end',
      { type: 'string', enum: ['a', 'b', 'c'] },
      ['end', 'k', 'space', 'ctrl+r'],
      '{"it":"b"}',
    ],
    [
      'multi-select',
      { type: 'array', items: { enum: ['a', 'b', 'c'] } },
      ['3', '1', 'enter'],
      '{"it":["a","c"]}',
    ],
    [
      'multi-select, nothing of it',
      { type: 'array', items: { enum: ['a'] } },
      ['space', 'space', 'enter'],
      '{"it":[]}',
    ],
    ['JSON', { type: 'object' }, ['{', '}', 'enter'], '{"it":{}}'],
    ['a default', { type: 'string', default: 'd' }, ['enter'], '{"it":"d"}'],
    ['a falsy default', { type: 'boolean', default: false }, ['enter'], '{"it":false}'],
  ])('%s', async (_name, schema, keys, content) => {
    const tui = await fakeTui({ asked: [field(schema)] });
    await tui.press('enter', ...keys);
    expect(await send(tui)).toBe(content);
  });

  test.each<[string, unknown, string[]]>([
    ['text', { type: 'string' }, ['a', 'backspace', 'enter']],
    ['boolean', { type: 'boolean' }, ['left', 'backspace', 'enter']],
    ['select', { type: 'string', enum: ['a'], default: 'a' }, ['end', 'enter']],
    ['multi-select', { type: 'array', items: { enum: ['a'] } }, ['space', 'space', 'enter']],
    ['number', { type: 'number' }, ['enter']],
  ])('an optional %s that is left alone or taken away is absent', async (_name, schema, keys) => {
    const tui = await fakeTui({ asked: [field(schema, false)] });
    await tui.press('enter', ...keys);
    expect(await send(tui)).toBe('{}');
  });

  test('an empty form is a plain confirm', async () => {
    const tui = await fakeTui({ asked: [{}] });
    await tui.press('enter', 'enter');
    expect(await send(tui)).toBe('{}');
  });
});

describe('validation', () => {
  test('is said as one types, in the words of every other surface', async () => {
    const tui = await fakeTui({ asked: [field({ type: 'string', format: 'email' })] });
    await tui.press('enter', 'a');
    expect(tui.vt.text).toContain('! not an e-mail address (name@example.com)');
    await tui.type('@example.com');
    expect(tui.vt.text).toContain('✓ ok');
    expect(tui.vt.text).not.toContain('not an e-mail');
  });

  test('the way to the review leads to the first field that is not right', async () => {
    const tui = await fakeTui({ asked: [TWO] });
    await tui.press('enter', 'tab', '1', '1', 'ctrl+r');
    expect(tui.vt.text).toContain('! required');
    expect(tui.vt.text).toContain('! must be at most 10');
    expect(tui.vt.text).toContain('field 1 of 2');
    await tui.press('x', 'enter', 'backspace', 'ctrl+r');
    expect(await send(tui)).toBe('{"repo":"x","count":1}');
  });

  test('text that is no number blocks the answer, also in an optional field', async () => {
    const tui = await fakeTui({ asked: [field({ type: 'number' }, false)] });
    await tui.press('enter', 'x', 'enter');
    expect(tui.vt.text).toContain('! needs a number');
    expect(tui.vt.text).not.toContain('when you press Enter');
  });

  test('what the fields break together is said at the field', async () => {
    const schema = {
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      dependentRequired: { a: ['b'] },
    };
    const tui = await fakeTui({ asked: [{ schema }] });
    await tui.press('enter', 'x', 'ctrl+r');
    expect(tui.vt.text).not.toContain('when you press Enter');
    expect(tui.vt.text).toContain('! required where a is given');
  });

  test('a multi-select takes no more than it may', async () => {
    const schema = { type: 'array', minItems: 1, maxItems: 2, items: { enum: ['a', 'b', 'c'] } };
    const tui = await fakeTui({ asked: [field(schema)] });
    await tui.press('enter', 'enter');
    expect(tui.vt.text).toContain('! required');
    await tui.press('1', '2', '3');
    expect(tui.vt.text).toContain('No more than 2 can be taken');
    expect(tui.vt.text).toContain('2 of 1–2 taken');
    await tui.press('enter');
    expect(await send(tui)).toBe('{"it":["a","b"]}');
  });
});

describe('drafts', () => {
  test('are kept for each question, whatever else comes and goes', async () => {
    const tui = await fakeTui({ asked: [REPO, TWO] });
    await tui.press('enter');
    await tui.type('first');
    await tui.press('esc');
    expect(tui.vt.text).toContain('(draft)');
    await tui.press('down', 'enter');
    await tui.type('second');
    tui.source.ask({ server: 'jira', expiresAt: new Date(tui.clock.now() + 1_000).toISOString() });
    await tui.see('2 other questions waiting');
    await tui.press('esc', 'up', 'enter');
    expect(tui.vt.text).toContain('│ first');
    await tui.press('esc', 'down', 'enter');
    expect(tui.vt.text).toContain('│ second');
    expect(tui.source.answers).toEqual([]);
  });

  test('a question that ends while it is open says how, and keeps what was typed', async () => {
    const tui = await fakeTui({ asked: [REPO] });
    await tui.press('enter');
    await tui.type('my draft');
    tui.source.end(FIRST, 'expired');
    await tui.see('nobody answered in time');
    expect(tui.vt.text).toContain('"my draft" (text)');
    await tui.press('enter', 'enter', 'y');
    expect(tui.source.answers).toEqual([]);
  });

  test('leaving asks once where a draft would be lost', async () => {
    const tui = await fakeTui({ asked: [REPO] });
    await tui.press('enter', 'a', 'esc', 'q');
    expect(tui.vt.text).toContain('A draft is not sent and will be lost');
    await tui.press('down', 'q', 'q');
    expect(await tui.done).toEqual({ interrupted: false });
    expect(tui.source.answers).toEqual([]);
  });
});

describe('the three answers, and none', () => {
  test('decline asks once', async () => {
    const tui = await fakeTui({ asked: [REPO] });
    await tui.press('enter', 'ctrl+d');
    expect(tui.vt.text).toContain('Tell github no?');
    await tui.settle();
    await tui.press('n');
    expect(tui.vt.text).not.toContain('Tell github no?');
    await tui.press('ctrl+d');
    await tui.settle();
    await tui.press('y');
    await tui.see('declined');
    expect(tui.source.answers).toEqual([{ id: FIRST, action: 'decline' }]);
  });

  test('cancel', async () => {
    const tui = await fakeTui({ asked: [REPO] });
    await tui.press('enter', 'ctrl+x');
    expect(tui.vt.text).toContain('Dismiss the question of github with neither yes nor no?');
    await tui.settle();
    await tui.press('y');
    await tui.see('cancelled');
    expect(tui.source.answers).toEqual([{ id: FIRST, action: 'cancel' }]);
  });

  test.each([['q'], ['ctrl+c']])('%s in the inbox sends nothing', async (key) => {
    const tui = await fakeTui({ asked: [REPO] });
    await tui.press(key);
    expect(await tui.done).toEqual({ interrupted: key === 'ctrl+c' });
    expect(tui.source.answers).toEqual([]);
    expect(tui.source.rows.get(FIRST)?.state).toBe('pending');
  });

  test('Ctrl+C empties a text first', async () => {
    const tui = await fakeTui({ asked: [REPO] });
    await tui.press('enter');
    await tui.type('some text');
    await tui.press('ctrl+c');
    expect(tui.vt.text).not.toContain('some text');
    await tui.press('backspace', 'ctrl+c', 'ctrl+c');
    expect(await tui.done).toEqual({ interrupted: true });
  });

  test('somebody else was faster', async () => {
    const tui = await fakeTui({ asked: [REPO] });
    await tui.press('enter');
    await tui.type('mine');
    await tui.press('enter');
    await tui.settle();
    const row = tui.source.rows.get(FIRST);
    if (row !== undefined) tui.source.rows.set(FIRST, { ...row, state: 'accepted' });
    await tui.press('enter');
    await tui.see('Somebody else was faster');
    expect(tui.source.answers).toEqual([]);
  });
});

test('a paste goes into the field as one line and moves nothing', async () => {
  const tui = await fakeTui({ asked: [TWO] });
  await tui.press('enter');
  await tui.paste('one\r\ntwo\rthree\n');
  expect(tui.vt.text).toContain('│ one two three');
  expect(tui.vt.text).toContain('field 1 of 2');
  expect(tui.vt.text).toContain('Line ends in what was pasted became spaces');
  // The same from a terminal that does not tell pastes from typing.
  await tui.press('ctrl+u');
  await tui.type('four\rfive\rsix');
  expect(tui.vt.text).toContain('│ four five six');
  await tui.press('esc');
  await tui.paste('q\ny\n');
  expect(tui.vt.text).toContain('1 open');
  expect(tui.source.answers).toEqual([]);
});

test('fast typing that ends with Enter is typing', async () => {
  const tui = await fakeTui({ asked: [TWO] });
  await tui.press('enter');
  await tui.type('me/thing\r');
  expect(tui.vt.text).toContain('field 2 of 2');
  expect(tui.vt.text).toContain('    me/thing');
});

test('a secret is not shown, not given to an editor, and said', async () => {
  const tui = await fakeTui({ asked: [field({ type: 'string', title: 'API key' })] });
  await tui.press('enter');
  await tui.type('hunter2');
  expect(tui.vt.text).toContain('Warning: this form seems to ask for a secret');
  expect(tui.vt.text).toContain('*******');
  await tui.press('ctrl+o');
  expect(tui.vt.text).toContain('A secret is not given to an editor');
  await tui.press('enter');
  expect(tui.vt.text).toContain('(hidden, 7 characters)');
  expect(tui.vt.text).not.toContain('hunter2');
});

test('the editor gets the text and gives it back', async () => {
  const tui = await fakeTui({
    asked: [field({ type: 'string' })],
    env: { EDITOR: `${process.execPath} ${new URL('editor.mjs', import.meta.url).pathname}` },
  });
  await tui.press('enter');
  await tui.type('before');
  await tui.type('\u000f');
  await tui.see('edited↵');
  expect(tui.vt.modes.has('1049')).toBe(true);
  await tui.press('enter');
  expect(await send(tui)).toBe('{"it":"before edited\\nsecond line"}');
});

test('an editor that is not there is said, and the text stays', async () => {
  const tui = await fakeTui({ asked: [field({ type: 'string' })], env: { EDITOR: '/nowhere/editor' } });
  await tui.press('enter');
  await tui.type('before');
  await tui.type('\u000f');
  await tui.see('cannot be started');
  expect(tui.vt.text).toContain('│ before');
});

describe('the inbox', () => {
  test('follows what comes and goes; the selection stays on its row', async () => {
    const tui = await fakeTui({ asked: [{ server: 'one' }, { server: 'two' }, { server: 'three' }] });
    await tui.press('down');
    expect(tui.vt.text).toContain('❯ ● two');
    tui.source.ask({ server: 'urgent', expiresAt: new Date(tui.clock.now() + 20_000).toISOString() });
    const screen = await tui.see('urgent');
    expect(screen).toContain('❯ ● two');
    expect(screen).toContain('only 20 seconds left');
    expect(screen.indexOf('urgent')).toBeLessThan(screen.indexOf('one '));
    tui.source.end('elc-0000000000000002', 'withdrawn');
    expect(await tui.miss('two ')).toContain('❯ ● three');
    await tui.press('tab');
    expect(tui.vt.text).toContain('⚠ withdrawn  two ');
    await tui.settle();
    await tui.press('enter');
    expect(tui.vt.text).toContain('the call was cancelled');
  });

  test('times move by themselves', async () => {
    const tui = await fakeTui({ asked: [{}] });
    expect(tui.vt.text).toContain('10:00 left');
    tui.clock.advance(8_000);
    await tui.see('9:52 left');
    expect(tui.vt.text).toContain('8s ago');
  });

  test('a new question rings once, is told, and is in the title', async () => {
    const tui = await fakeTui({ asked: [{}] });
    await until('the title', () => tui.vt.commands.includes('2;(1) mcpx'));
    tui.source.ask({ server: 'evil\u001b]0;x\u0007', message: 'Look\u0007 here' });
    await tui.see('2 open');
    expect(tui.vt.bells).toBe(1);
    await until('the title', () => tui.vt.commands.includes('2;(2) mcpx'));
    expect(tui.vt.commands.filter((command) => command.startsWith('9;'))).toEqual([
      '9;evil\\u{1b}]0;x\\u{7} asks: Look\\u{7} here',
    ]);
  });

  test('without the bell nothing rings', async () => {
    const tui = await fakeTui({ bell: false });
    tui.source.ask();
    await tui.see('1 open');
    await until('the title', () => tui.vt.commands.includes('2;(1) mcpx'));
    expect({
      bells: tui.vt.bells,
      told: tui.vt.commands.some((command) => command.startsWith('9;')),
    }).toEqual({
      bells: 0,
      told: false,
    });
  });

  test('a source that fails is said, and asked again', async () => {
    const tui = await fakeTui();
    tui.source.failure = new McpxError('store_busy', 'The store is busy.', 'Wait a little.');
    tui.source.breakOff();
    await tui.see('broke off');
    tui.clock.advance(2_000);
    await tui.see('The list may be out of date: The store is busy. Wait a little.');
    tui.source.ask({ server: 'later' });
    tui.clock.advance(2_000);
    expect(await tui.see('later')).not.toContain('out of date');
  });
});

test('every size is drawn within itself, and one that is too small says so', async () => {
  const tui = await fakeTui({ asked: [REPO] });
  await tui.press('enter');
  for (const [columns, rows] of [
    [60, 12],
    [132, 43],
    [61, 13],
    [40, 10],
    [200, 60],
    [80, 24],
  ] as const) {
    await tui.resize(columns, rows);
    expect(tui.vt.scrolled).toBe(0);
    expect(tui.vt.lines.every((line) => line.length <= columns)).toBe(true);
    expect(tui.vt.text).toContain(columns === 40 ? 'too small' : 'repo');
  }
});
