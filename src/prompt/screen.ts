// The output as one prompt sees it: @inquirer ends the stream it draws on, and the next prompt still needs it.
import { Writable } from 'node:stream';
import type { PromptStreams } from './streams.ts';

/** Colours and weights, not the movements of the cursor. */
const STYLES = /\u001b\[[\d;]*m/g;

export class Screen extends Writable {
  readonly #output: PromptStreams['output'];
  readonly #color: boolean;
  #drawn: (() => void) | undefined;

  /** @param drawn called once, with the first drawing */
  constructor({ output, color }: Pick<PromptStreams, 'output' | 'color'>, drawn: () => void) {
    super({ decodeStrings: false });
    this.#output = output;
    this.#color = color;
    this.#drawn = drawn;
  }

  /** Asked for at every drawing, as the window may change its size. */
  get columns(): number | undefined {
    return this.#output.columns;
  }

  override _write(chunk: string | Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    // @inquirer decides by the environment and by stdout, and knows neither --color nor that it draws on stderr.
    this.#output.write(this.#color ? chunk : String(chunk).replaceAll(STYLES, ''));
    this.#drawn?.();
    this.#drawn = undefined;
    done();
  }
}
