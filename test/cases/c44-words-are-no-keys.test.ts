// C44: what a terminal says of itself is no key, however it is cut, and the next key works.
import { describe, expect, test } from 'vitest';
import { type Input, KeyInput } from '../../src/terminal/key-input.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { cuts, TERMINAL_WORDS } from '../support/terminal-words.ts';

function listen() {
  const clock = fakeClock();
  const heard: Input[] = [];
  return { clock, heard, input: new KeyInput(clock, (one) => heard.push(one)) };
}

describe.each(TERMINAL_WORDS)('%s', (_name, bytes) => {
  test.each(cuts(bytes))('$name', ({ reads, pause }) => {
    const { clock, heard, input } = listen();
    for (const [index, read] of reads.entries()) {
      if (index > 0) clock.advance(pause);
      input.push(read);
    }
    // An ESC with nothing behind it for a while is the Esc key, and no more comes of the rest.
    const keys = heard.splice(0);
    expect(keys.filter((one) => one.type !== 'key' || one.stroke !== 'esc')).toEqual([]);
    if (pause === 0) expect(keys).toEqual([]);
    input.push('y');
    expect(heard).toEqual([{ type: 'key', stroke: 'y' }]);
  });

  test('its beginning alone is let go after a second', () => {
    for (let length = 1; length < bytes.length; length += 1) {
      const { clock, heard, input } = listen();
      input.push(bytes.subarray(0, length));
      clock.advance(1_000);
      heard.length = 0;
      input.push('y');
      expect(heard).toEqual([{ type: 'key', stroke: 'y' }]);
    }
  });
});

test('Ctrl+C gets through a sequence that never ends', () => {
  const { heard, input } = listen();
  for (const start of ['\u001b]52;c;', '\u001bP', '\u001b[1;', '\u001b_G']) {
    input.push(start);
    input.push('\u0003');
  }
  expect(heard).toEqual(Array(4).fill({ type: 'key', stroke: 'ctrl+c' }));
});
