// Bytes from the terminal as keys, typed text and pastes: the one way in, for the inbox and for the line prompts.
import type { Clock, Timer } from '../clock.ts';
import { Sequences, type Token } from './sequences.ts';
import { strokeOf } from './strokes.ts';

export type Input =
  /** One key, by the name that `strokeOf` gives it. */
  | { readonly type: 'key'; readonly stroke: string }
  /** Several characters of one read: typed fast, or a paste of a terminal that does not mark it. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string };

/** How long a paste may pause before keys are keys again: a terminal that lost the end must not swallow them for good. */
const PASTE_MS = 2_000;
const [TAB, LF, CR] = [0x09, 0x0a, 0x0d];

/** Takes chunks as they are read and says what was pressed, typed or pasted. */
export class KeyInput {
  readonly #clock: Clock;
  readonly #told: (input: Input) => void;
  readonly #sequences: Sequences;
  /** What may be typed text, of the chunk that is being read. */
  #run: Token[] = [];
  #pasted: string[] | undefined;
  #timer: Timer | undefined;

  constructor(clock: Clock, told: (input: Input) => void) {
    this.#clock = clock;
    this.#told = told;
    this.#sequences = new Sequences(clock, (token) => this.#token(token));
  }

  push(chunk: Buffer | string): void {
    this.#sequences.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    this.#tellRun();
    if (this.#pasted !== undefined) this.#arm();
  }

  close(): void {
    this.#timer?.cancel();
    this.#sequences.close();
  }

  #token(token: Token): void {
    if (token.type === 'csi' && token.final === '~' && (token.body === '200' || token.body === '201')) {
      this.#tellRun();
      if (token.body === '201') this.#endPaste();
      else this.#pasted ??= [];
    } else if (this.#pasted !== undefined) {
      // Sequences in what is pasted steer the terminal and are no text.
      if (isTyped(token) || token.type === 'control') this.#pasted.push(textOf(token));
    } else if (isTyped(token)) {
      this.#run.push(token);
    } else {
      this.#tellRun();
      this.#tellKey(token);
    }
  }

  #tellKey(token: Token): void {
    const stroke = strokeOf(token);
    if (stroke !== undefined) this.#told({ type: 'key', stroke });
    // The ESC in front was no Alt then.
    else if (token.type === 'csi' && token.meta) this.#told({ type: 'key', stroke: 'esc' });
  }

  #tellRun(): void {
    const run = this.#run;
    if (run.length === 0) return;
    this.#run = [];
    const text = run.map(textOf).join('');
    // A tab is a key, unless line ends show that all of it was pasted.
    if (run.length > 1 && (!text.includes('\t') || /[\r\n]./s.test(text))) this.#told({ type: 'text', text });
    else for (const token of run) this.#tellKey(token);
  }

  #endPaste(): void {
    const text = this.#pasted?.join('').replace(/\r\n?/g, '\n');
    this.#timer?.cancel();
    this.#pasted = undefined;
    if (text !== undefined && text !== '') this.#told({ type: 'paste', text });
  }

  #arm(): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(PASTE_MS, () => this.#endPaste());
  }
}

/** Characters, and the controls that stand in text. */
function isTyped(token: Token): boolean {
  if (token.type !== 'control') return token.type === 'char';
  return token.code === CR || token.code === LF || token.code === TAB;
}

function textOf(token: Token): string {
  if (token.type === 'char') return token.text;
  return token.type === 'control' ? String.fromCharCode(token.code) : '';
}
