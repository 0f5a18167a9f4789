// What comes from an upstream: held back while those it is for do not read (C51), and read in turns with all the others.
import type { Readable } from 'node:stream';
import type { IsHeld, Ticket } from './types.ts';

/**
 * Bytes that are taken from one stream before others get their turn. A pipe hands over 2 MiB at once, and reading so many
 * small messages takes a tenth of a second.
 */
const AT_ONCE = 128 * 1024;

interface Flowing {
  readonly ticket: Ticket | undefined;
  /** Bytes of this turn. */
  taken: number;
  resting: boolean;
}

/** The pipe of a server process, or the response streams of a connection over HTTP. */
export class Inflow {
  readonly #open = new Map<Readable, Flowing>();
  #isHeld: IsHeld = () => false;

  /** Takes a stream that has its listeners; it is let go of when it closes. `ticket` is that of the request it answers. */
  add(stream: Readable, ticket: Ticket | undefined): void {
    const flowing: Flowing = { ticket, taken: 0, resting: false };
    this.#open.set(stream, flowing);
    stream.once('close', () => this.#open.delete(stream));
    stream.on('data', (chunk: Buffer) => {
      if (flowing.taken === 0) setImmediate(() => this.#nextTurn(stream, flowing));
      flowing.taken += chunk.length;
      if (flowing.taken < AT_ONCE) return;
      flowing.resting = true;
      stream.pause();
    });
    this.#apply(stream, flowing);
  }

  /** As `Connection.regulate`. */
  regulate(isHeld: IsHeld): void {
    this.#isHeld = isHeld;
    for (const [stream, flowing] of this.#open) this.#apply(stream, flowing);
  }

  /** Reads whatever comes from now on. */
  release(): void {
    this.regulate(() => false);
  }

  #nextTurn(stream: Readable, flowing: Flowing): void {
    flowing.taken = 0;
    flowing.resting = false;
    if (this.#open.has(stream)) this.#apply(stream, flowing);
  }

  #apply(stream: Readable, { ticket, resting }: Flowing): void {
    if (resting || this.#isHeld(ticket)) stream.pause();
    else if (stream.isPaused()) stream.resume();
  }
}
