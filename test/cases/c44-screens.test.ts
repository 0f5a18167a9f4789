// C44 in the inbox: on no screen does a word of the terminal type, choose, consent or send, and no random stream answers.
import { describe, expect, test } from 'vitest';
import { KeyInput } from '../../src/terminal/key-input.ts';
import type { Effect, State } from '../../src/tui/state/types.ts';
import { makeStore } from '../../src/tui/state-store.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { cuts, seeded, TERMINAL_WORDS } from '../support/terminal-words.ts';
import type { Asked } from '../tui/fake-source.ts';
import { type FakeTui, fakeTui } from '../tui/fake-tui.ts';

const URL: Asked = { mode: 'url', url: 'https://example.com/' };
const form = (properties: Record<string, unknown>): Asked => ({
  schema: { properties, required: Object.keys(properties) },
});
const LIST = { enum: ['a', 'b', 'c', 'd'] };

/** Every kind of screen, and the keys that lead there. */
const SCREENS: Readonly<Record<string, readonly [Asked, ...keys: string[]]>> = {
  inbox: [form({ repo: { type: 'string' } })],
  'the other tab': [form({ repo: { type: 'string' } }), 'tab'],
  text: [form({ repo: { type: 'string' } }), 'enter'],
  number: [form({ count: { type: 'integer' } }), 'enter'],
  secret: [form({ password: { type: 'string' } }), 'enter'],
  'yes or no': [form({ ok: { type: 'boolean' } }), 'enter'],
  select: [form({ letter: LIST }), 'enter'],
  multiselect: [form({ letters: { type: 'array', items: LIST } }), 'enter'],
  review: [form({ ok: { type: 'boolean' } }), 'enter', 'y'],
  'a question without fields': [form({}), 'enter'],
  'asked back': [form({ repo: { type: 'string' } }), 'enter', 'ctrl+d'],
  consent: [URL, 'enter'],
  'a URL that cannot be opened': [{ mode: 'url', url: 'file:///etc/passwd' }, 'enter'],
  help: [form({ ok: { type: 'boolean' } }), '?'],
};

const screens = Object.entries(SCREENS);

async function opened([asked, ...keys]: readonly [Asked, ...keys: string[]]): Promise<FakeTui> {
  const tui = await fakeTui({ asked: [asked] });
  await tui.press(...keys);
  // Long enough for the keys that send to count.
  await tui.settle();
  return tui;
}

/** A terminal in front of a screen, at any state. */
function terminal(state: State, now: number) {
  const clock = fakeClock(now);
  const effects: Effect[] = [];
  const store = makeStore(state, clock, (effect) => effects.push(effect));
  const input = new KeyInput(clock, (one) => store.input(one));
  return { clock, effects, store, input };
}

/** What a person has entered and where each question stands: nothing of it may change. */
function entered({ questions }: State): unknown {
  return [...questions.values()].map(({ draft, typing, stage, content, highlight, asking }) => ({
    draft: [...draft],
    typing: [...typing],
    highlight: [...highlight],
    stage,
    content,
    asking,
  }));
}

describe.each(screens)('%s', (_name, setup) => {
  test('no word of a terminal does anything, however it is cut', async () => {
    const tui = await opened(setup);
    const [before, now] = [tui.state(), tui.clock.now()];
    for (const [word, bytes] of TERMINAL_WORDS) {
      for (const { name, reads, pause } of cuts(bytes)) {
        const { clock, effects, store, input } = terminal(before, now);
        for (const [index, read] of reads.entries()) {
          if (index > 0) clock.advance(pause);
          input.push(read);
        }
        expect(effects, `${word}, ${name}`).toEqual([]);
        // With a pause behind its ESC a word may go back, as Esc does.
        const wentBack = pause > 0 && reads[0]?.equals(Buffer.from('\u001b'));
        if (!wentBack) expect(entered(store.state()), `${word}, ${name}`).toEqual(entered(before));
        if (!wentBack) expect(store.state().open, `${word}, ${name}`).toBe(before.open);
      }
    }
    tui.stop();
  });
});

describe('random streams that hold no key of consent', () => {
  /** Everything that a person agrees or sends with, or leaves. */
  const AGREES = new Set(
    'yYoOfF123456789 \r\n\t\u0003\u0004\u0018\u001a'.split('').map((key) => key.charCodeAt(0)),
  );
  const PLAIN = 'abcdeghijklmnpqrstuvwxzABCDEGHIJKLMNPQRSTUVWXZ0.,:;-_é確🙂';
  const COUNT = 10_000;

  /** A word of a terminal with anything in it that the grammar allows, also the letters that consent. */
  function word(random: (below: number) => number): Buffer {
    const some = (from: string, most: number): string =>
      Array.from({ length: random(most + 1) }, () => from[random(from.length)]).join('');
    const anything = (): string => some('yoYOfF1 abc;:/?>=[]{}~é確🙂', 12);
    switch (random(7)) {
      case 0:
        return Buffer.from(
          `\u001b[${some('?>=<', 1)}${some('0123456789;:', 6)}${some(' !"#$%&', 1)}${'ycRtmnxJKST'[random(11)]}`,
        );
      case 1:
        return Buffer.from(`\u001b]${random(120)};${anything()}${random(2) === 0 ? '\u0007' : '\u001b\\'}`);
      case 2:
        return Buffer.from(`\u001bP${['>|', '1+r', '0$r', '!|'][random(4)]}${anything()}\u001b\\`);
      case 3:
        return Buffer.from(
          `\u001b${'_^X'[random(3)]}${anything()}${random(2) === 0 ? '\u009c' : '\u001b\\'}`,
        );
      case 4:
        return Buffer.from([0x1b, 0x5b, 0x4d, 0x20 + random(4), 0x21 + random(0xde), 0x21 + random(0xde)]);
      case 5:
        return Buffer.from(
          `\u001b[${'yo1'.charCodeAt(random(3))};${1 + random(8)}:${1 + random(3)};${111 + random(11)}u`,
        );
      default:
        return Buffer.from(`\u009b${random(99)}${'ymnc'[random(4)]}`);
    }
  }

  function stream(random: (below: number) => number): Buffer {
    const parts = Array.from({ length: 1 + random(6) }, () => {
      const kind = random(4);
      if (kind === 0) return Buffer.from([...PLAIN][random([...PLAIN].length)] ?? 'a');
      // Bytes of any kind, which may leave a sequence open or make no character.
      if (kind === 1)
        return Buffer.from(
          Array.from({ length: 1 + random(8) }, () => random(256)).filter((byte) => !AGREES.has(byte)),
        );
      return word(random);
    });
    return Buffer.concat(parts);
  }

  /** Cut into reads at random; pauses of up to half a second where `slow`. */
  function feed(
    bytes: Buffer,
    random: (below: number) => number,
    push: (read: Buffer) => void,
    pause: () => void,
  ) {
    for (let at = 0; at < bytes.length; ) {
      const next = at + 1 + random(8);
      if (at > 0) pause();
      push(bytes.subarray(at, next));
      at = next;
    }
  }

  test('never answer, consent or open, on any screen', async () => {
    const starts: { state: State; now: number }[] = [];
    for (const [, setup] of screens) {
      const tui = await opened(setup);
      starts.push({ state: tui.state(), now: tui.clock.now() });
      tui.stop();
      await tui.done;
    }
    const random = seeded(44);
    let [bytes, reads] = [0, 0];
    for (let count = 0; count < COUNT; count += 1) {
      const start = starts[count % starts.length];
      if (start === undefined) throw new Error('no screen');
      const { clock, effects, store, input } = terminal(start.state, start.now);
      const given = stream(random);
      bytes += given.length;
      feed(
        given,
        random,
        (read) => {
          reads += 1;
          input.push(read);
        },
        () => clock.advance(random(500)),
      );
      clock.advance(2_000);
      const sent = effects.filter(
        ({ do: what }) => what !== 'quit' && what !== 'suspend' && what !== 'copy' && what !== 'edit',
      );
      expect(sent, `stream ${count}: ${given.toString('hex')}`).toEqual([]);
      for (const { stage } of store.state().questions.values())
        expect(['sending', 'opening', 'waiting']).not.toContain(stage);
    }
    console.info(
      `C44: ${COUNT} random streams, ${bytes} bytes in ${reads} reads, on ${starts.length} screens: no answer`,
    );
  });

  test('every split of a stream gives the same keys as the whole', () => {
    const random = seeded(45);
    let keys = 0;
    const heard = (bytes: Buffer, cut: boolean): string[] => {
      const clock = fakeClock();
      const strokes: string[] = [];
      const input = new KeyInput(clock, (one) => {
        // Characters of one read come together; they are the same characters.
        if (one.type === 'text')
          strokes.push(...[...one.text].map((character) => (character === ' ' ? 'space' : character)));
        else strokes.push(one.type === 'key' ? one.stroke : `paste ${one.text}`);
      });
      if (cut)
        feed(
          bytes,
          random,
          (read) => input.push(read),
          () => {},
        );
      else input.push(bytes);
      clock.advance(3_000);
      input.push('x');
      clock.advance(3_000);
      return strokes.map((stroke) => ({ '\r': 'enter', '\n': 'enter', '\t': 'tab' })[stroke] ?? stroke);
    };
    for (let count = 0; count < COUNT; count += 1) {
      const bytes = Buffer.concat([
        stream(random),
        Buffer.from(
          ['', 'yo\r', '\u001b[A', '\u001b', '\u001b[200~y\ro\u001b[201~', '\u001bb', '\u001b[1;5D'][
            random(7)
          ] ?? '',
        ),
        stream(random),
      ]);
      const whole = heard(bytes, false);
      keys += whole.length;
      expect(whole.at(-1), bytes.toString('hex')).toBe('x');
      for (let times = 0; times < 3; times += 1)
        expect(heard(bytes, true), bytes.toString('hex')).toEqual(whole);
    }
    console.info(`C44: ${COUNT} streams with ${keys} keys, each cut in 3 ways: the same keys`);
  });
});
