// C44 in the line prompts: no word of a terminal types, chooses, consents or sends anything, drawn or in plain lines.
import { describe, expect, test } from 'vitest';
import { formOf } from '../../src/form/form-of.ts';
import { check } from '../../src/form/jobs.ts';
import { askConsent, typedConsent } from '../../src/prompt/consent.ts';
import { walk } from '../../src/prompt/walk.ts';
import { ENTER, FakeTerminal } from '../prompt/fake-terminal.ts';
import { cuts, seeded, TERMINAL_WORDS } from '../support/terminal-words.ts';

type Start = (terminal: FakeTerminal) => Promise<unknown>;

const field =
  (schema: Record<string, unknown>): Start =>
  (terminal) => {
    const form = formOf(JSON.stringify({ type: 'object', properties: { it: schema }, required: ['it'] }));
    return walk('github', form, terminal.streams, async (draft) => check(form, draft));
  };

const LONG = { enum: Array.from({ length: 12 }, (_, index) => `yellow ${index}`) };

/** Each prompt, what stands on the screen when it takes keys, and the keys that lead there. */
const PROMPTS: Readonly<Record<string, readonly [Start, string, ...before: string[]]>> = {
  'the first choice': [field({ type: 'string' }), 'What do you want to do?'],
  text: [field({ type: 'string' }), 'it (', ENTER],
  secret: [field({ type: 'string', title: 'Password' }), 'it] (', ENTER],
  'yes or no': [field({ type: 'boolean' }), 'it (', ENTER],
  select: [field({ enum: ['a', 'b'] }), 'it (', ENTER],
  'long list': [field(LONG), 'it (', ENTER],
  multiselect: [field({ type: 'array', items: { enum: ['a', 'b'] } }), 'it (', ENTER],
  review: [
    (terminal) => {
      const form = formOf('{"type":"object","properties":{}}');
      return walk('github', form, terminal.streams, async (draft) => check(form, draft));
    },
    'Send this?',
  ],
  consent: [(terminal) => askConsent('github', true, terminal.streams), 'Do you want to go there?'],
  'typed consent': [(terminal) => typedConsent(terminal.streams), 'Type yes'],
};

describe.each([false, true])('plain lines: %s', (plain) => {
  test.each(Object.entries(PROMPTS))('%s', async (_name, [start, shown, ...before]) => {
    for (const [word, bytes] of TERMINAL_WORDS) {
      const terminal = new FakeTerminal();
      terminal.plain = plain;
      let ended: unknown;
      start(terminal).then(
        (value) => {
          ended = { value };
        },
        (error: unknown) => {
          ended = { error };
        },
      );
      for (const key of before) await terminal.at('What do you want to do?', plain ? `1${key}` : key);
      await terminal.see(shown);
      await terminal.settle();
      const reached = terminal.drawn.length;
      for (const { name, reads, pause } of cuts(bytes)) {
        // After a pause an ESC may go back to the prompt before; that is looked at below.
        if (pause > 0 && reads[0]?.equals(Buffer.from('\u001b'))) continue;
        for (const [index, read] of reads.entries()) {
          if (index > 0) terminal.clock.advance(pause);
          terminal.input.emit('data', read);
        }
        expect(terminal.text.slice(reached).trim(), `${word}, ${name}`).toBe('');
      }
      expect(ended, word).toBeUndefined();
      terminal.gone.abort();
      terminal.close();
    }
  });

  test('a word whose ESC came long before goes back at most', async () => {
    for (const [word, bytes] of TERMINAL_WORDS.filter(([, one]) => one[0] === 0x1b)) {
      const terminal = new FakeTerminal();
      terminal.plain = plain;
      let ended: unknown;
      field({ type: 'string' })(terminal).then(
        (value) => {
          ended = value;
        },
        () => undefined,
      );
      await terminal.at('What do you want to do?', plain ? `1${ENTER}` : ENTER);
      await terminal.at('it (', '\u001b');
      await terminal.see('What do you want to do?');
      // Late enough for the prompt that it went back to.
      terminal.clock.advance(350);
      for (const byte of bytes.subarray(1)) {
        terminal.input.emit('data', Buffer.of(byte));
        terminal.clock.advance(101);
      }
      await terminal.settle();
      expect(ended, word).toBeUndefined();
      expect(terminal.text.trimEnd().endsWith('dit') || terminal.text.includes('Tell github no?'), word).toBe(
        false,
      );
      terminal.gone.abort();
      terminal.close();
    }
  });
});

test('1,000 random streams that hold no key of consent never answer a prompt', async () => {
  const random = seeded(46);
  const kinds = Object.entries(PROMPTS);
  // Enter takes what stands there; the rest can only leave.
  const left = new Set([0x03, 0x04, 0x0a, 0x0d, 0x1a]);
  const asked = kinds.map(async ([name, [start, shown, ...before]]) => {
    const terminal = new FakeTerminal();
    let ended: unknown;
    start(terminal).then(
      (value) => {
        ended = { name, value };
      },
      () => undefined,
    );
    for (const key of before) await terminal.at('What do you want to do?', key);
    await terminal.see(shown);
    await terminal.settle();
    for (let count = 0; count < 100; count += 1) {
      const bytes = Array.from({ length: 1 + random(24) }, () => random(256)).filter(
        (byte) => !left.has(byte),
      );
      const [, word] = TERMINAL_WORDS[random(TERMINAL_WORDS.length)] ?? ['', Buffer.alloc(0)];
      terminal.input.emit('data', Buffer.from(bytes));
      terminal.clock.advance(1_100);
      terminal.input.emit('data', word);
      expect(ended).toBeUndefined();
    }
    terminal.gone.abort();
    terminal.close();
  });
  await Promise.all(asked);
  console.info(`C44: 1000 random streams on ${kinds.length} prompts: no answer`);
});
