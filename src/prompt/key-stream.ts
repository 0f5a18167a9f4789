// The input as one @inquirer prompt sees it: whole keys by name and nothing else, so that readline parses no bytes itself.
import { EventEmitter } from 'node:events';
import type { Key } from 'node:readline';
import type { Typed } from './typist.ts';

/** What a keypress carries beside what readline reads of it. */
export interface PromptKey extends Key {
  readonly stroke: string;
  /** Text with line ends in it was pasted. */
  readonly isFolded?: boolean;
}

/** Keys that readline edits its line with; every other one is for the prompt alone. */
const EDITS =
  /^(?:(?:ctrl\+|alt\+)?(?:left|right|home|end|delete|backspace)|ctrl\+[abdefhkuwy_]|alt\+[bfd])$/;
const UNDO = '\u001f';

export class KeyStream extends EventEmitter {
  /** The text on the line, for a prompt that has one. */
  line: (() => string) | undefined;

  /** readline sees what it can edit with; the prompt sees every stroke. */
  take(typed: Typed): void {
    if (typed.type === 'text') {
      // In a list what was typed fast is one key after the other.
      if (this.line === undefined && !typed.isPasted) {
        for (const character of typed.text)
          this.take({ type: 'key', stroke: character === ' ' ? 'space' : character });
        return;
      }
      this.#press(typed.text, { stroke: 'text', sequence: typed.text, isFolded: typed.isFolded });
      return;
    }
    const { stroke } = typed;
    const text = stroke === 'space' ? ' ' : stroke;
    if ([...text].length === 1) this.#press(text, { stroke, sequence: text });
    else if (stroke === 'enter') this.#press('\r', { stroke, name: 'return', sequence: '\r' });
    else if (EDITS.test(stroke)) this.#press(undefined, { stroke, ...edit(stroke) });
    else this.#press(undefined, { stroke, name: 'other', sequence: '' });
  }

  resume(): this {
    return this;
  }

  pause(): this {
    return this;
  }

  #press(text: string | undefined, key: PromptKey): void {
    this.emit('keypress', text, key);
  }
}

function edit(stroke: string): Key {
  const [name = '', held] = stroke.split('+').reverse();
  if (stroke === 'ctrl+_') return { name: 'undo', ctrl: true, sequence: UNDO };
  return { name, ctrl: held === 'ctrl', meta: held === 'alt', sequence: '' };
}
