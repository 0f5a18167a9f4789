// What a person types on one line: keys one by one, and pastes in one piece that never act as keys (C46).
import type { Clock, Timer } from '../clock.ts';
import type { Input } from '../terminal/key-input.ts';

export type Typed =
  | { readonly type: 'key'; readonly stroke: string }
  /** Text for the line, without line ends; `isFolded` where there were some. What was pasted never acts as keys. */
  | { readonly type: 'text'; readonly text: string; readonly isPasted: boolean; readonly isFolded: boolean };

/** How soon after an Enter that came together with text more has to come for all of it to be a paste. */
const PASTE_MS = 50;

export class Typist {
  readonly #clock: Clock;
  readonly #told: (typed: Typed) => void;
  #held: Timer | undefined;

  constructor(clock: Clock, told: (typed: Typed) => void) {
    this.#clock = clock;
    this.#told = told;
  }

  take(input: Input): void {
    if (this.#held !== undefined) {
      this.#release();
      if (input.type === 'text' || input.type === 'paste' || [...input.stroke].length === 1)
        this.#told({ type: 'text', text: ' ', isPasted: true, isFolded: true });
    }
    if (input.type === 'key') this.#told(input);
    else if (input.type === 'paste') this.#paste(input.text);
    else this.#burst(input.text);
  }

  close(): void {
    this.#release();
  }

  /** Fast typing may end with Enter; a line end further in is a paste that the terminal does not mark. */
  #burst(text: string): void {
    if (/[\r\n]./s.test(text)) this.#paste(text);
    else {
      const body = text.replace(/[\r\n]$/, '');
      if (body !== '') this.#told({ type: 'text', text: body, isPasted: false, isFolded: false });
      if (body === text) return;
      // The rest of a paste may come with the next read.
      this.#held = this.#clock.after(PASTE_MS, () => {
        this.#held = undefined;
        this.#told({ type: 'key', stroke: 'enter' });
      });
    }
  }

  #paste(pasted: string): void {
    const body = pasted.replace(/^[\r\n]+|[\r\n]+$/g, '');
    const text = body.replace(/\r\n|[\r\n\t]/g, ' ').replace(/\p{Cc}/gu, '');
    if (text !== '') this.#told({ type: 'text', text, isPasted: true, isFolded: /[\r\n]/.test(body) });
  }

  #release(): void {
    this.#held?.cancel();
    this.#held = undefined;
  }
}

/** What is said after a paste of several lines. */
export const FOLDED =
  'The line breaks in what was pasted became spaces. Nothing is taken before you press Enter.';
