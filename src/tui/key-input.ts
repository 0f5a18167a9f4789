// Bytes from the terminal as strokes, typed text and pastes, in the names that the table of keys uses.
import { EventEmitter } from 'node:events';
import { emitKeypressEvents, type Key } from 'node:readline';
import { StringDecoder } from 'node:string_decoder';
import type { Clock, Timer } from '../clock.ts';

export type Input =
  | { readonly type: 'key'; readonly stroke: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string };

/** How long a paste may pause before keys are keys again: a terminal that lost the end must not make mcpx deaf. */
const PASTE_MS = 2_000;
/** How long after Esc the rest of a sequence may come, over a slow line. */
const ESCAPE_MS = 60;

/** What terminals report unasked where another program left them so: the mouse, the focus, their kind. */
const REPORT = /\u001b\[(?:<[\d;]*[Mm]|[IO]|\?[\d;]*[a-z])/g;
/** A sequence whose end is still to come. */
const PARTIAL = /\u001b(?:\[[\d;]*|O)?$/;
/** What makes a chunk more than typed text: line ends alone do not. */
const CONTROL = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/;

const NAMES: Readonly<Record<string, string>> = { return: 'enter', escape: 'esc', enter: 'enter' };

/** Takes chunks as they are read and says what was pressed, typed or pasted. */
export class KeyInput {
  readonly #keys = new EventEmitter();
  readonly #decoder = new StringDecoder('utf8');
  readonly #clock: Clock;
  readonly #told: (input: Input) => void;
  #pasted: string | undefined;
  #isPartial = false;
  #timer: Timer | undefined;

  constructor(clock: Clock, told: (input: Input) => void) {
    this.#clock = clock;
    this.#told = told;
    // Node only listens to the one and reads this of the other; the types want a stream and a whole readline.
    emitKeypressEvents(this.#keys as never, { escapeCodeTimeout: ESCAPE_MS } as never);
    this.#keys.on('keypress', (text: string | undefined, key: Key) => this.#key(text, key));
  }

  push(chunk: Buffer | string): void {
    const read = typeof chunk === 'string' ? chunk : this.#decoder.write(chunk);
    const text = read.replace(REPORT, '');
    if (text === '') return;
    const isWhole = this.#pasted === undefined && !this.#isPartial;
    this.#isPartial = PARTIAL.test(text);
    if (isWhole && [...text].length > 1 && !CONTROL.test(text)) this.#told({ type: 'text', text });
    else this.#keys.emit('data', text);
  }

  close(): void {
    this.#timer?.cancel();
    this.#keys.removeAllListeners();
  }

  #key(text: string | undefined, key: Key): void {
    if (key.name === 'paste-start') {
      this.#pasted = '';
      this.#arm();
    } else if (key.name === 'paste-end') {
      this.#endPaste();
    } else if (this.#pasted !== undefined) {
      // What steers the terminal is no text.
      this.#pasted += (text ?? '').replace(/\u001b.*/s, '');
      this.#arm();
    } else {
      const stroke = strokeOf(text, key);
      if (stroke !== undefined) this.#told({ type: 'key', stroke });
    }
  }

  #endPaste(): void {
    const text = this.#pasted?.replace(/\r\n?/g, '\n');
    this.#timer?.cancel();
    this.#pasted = undefined;
    if (text !== undefined && text !== '') this.#told({ type: 'paste', text });
  }

  #arm(): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(PASTE_MS, () => this.#endPaste());
  }
}

function strokeOf(text: string | undefined, { name, ctrl, meta, shift, sequence }: Key): string | undefined {
  if (name === undefined) {
    return text !== undefined && !/[\p{Cc}]/u.test(text) ? text : undefined;
  }
  if (ctrl) return name === 'space' || name === '`' ? undefined : `ctrl+${name}`;
  if (meta) return name === 'escape' ? 'esc' : undefined;
  if (name === 'tab') return shift ? 'shift+tab' : 'tab';
  // For letters the name is in lower case, whatever was typed.
  if (name.length === 1) return text ?? sequence;
  return NAMES[name] ?? name;
}
