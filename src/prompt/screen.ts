// The output as one prompt sees it: @inquirer ends the stream it draws on, and the next prompt still needs it.
import { Writable } from 'node:stream';
import type { PromptStreams } from './streams.ts';

export class Screen extends Writable {
  readonly #output: PromptStreams['output'];

  constructor(output: PromptStreams['output']) {
    super({ decodeStrings: false });
    this.#output = output;
  }

  /** Asked for at every drawing, as the window may change its size. */
  get columns(): number | undefined {
    return this.#output.columns;
  }

  override _write(chunk: string | Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    this.#output.write(chunk);
    done();
  }
}
