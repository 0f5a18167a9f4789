// What comes from an upstream: held back while those it is for do not read (C51), and read in turns with all the others.
import type { Readable } from 'node:stream';
import type { Regulation, Ticket } from './types.ts';

/**
 * Bytes that are taken from one stream before others get their turn. A pipe hands over 2 MiB at once, and reading so many
 * small messages takes a tenth of a second.
 */
const AT_ONCE = 64 * 1024;
/** Bytes of a message that any stream may have brought before the rest of it waits for others. */
const BEGUN = 256 * 1024;

interface Flowing {
  /** The connection that it belongs to. */
  readonly inflow: Inflow;
  readonly stream: Readable;
  readonly ticket: Ticket | undefined;
  /** Bytes of this turn. */
  taken: number;
  resting: boolean;
  /** Bytes of the message that has not ended yet, and at most a chunk more. */
  partial: number;
}

/** What is under way from a server for one reader. */
interface Load {
  partial: number;
  /** The one that has come furthest. */
  first: Flowing;
}

const FREE: Regulation = { isHeld: () => false, readerOf: () => undefined };

/** All that a server sends, by whatever connections. */
export class Arrivals {
  readonly frameBytes: number;
  readonly open = new Set<Flowing>();

  /** `frameBytes` bounds one message. */
  constructor(frameBytes: number) {
    this.frameBytes = frameBytes;
  }
}

/** The pipe of a server process, or the response streams of a connection over HTTP. */
export class Inflow {
  readonly #arrivals: Arrivals;
  #regulation = FREE;

  constructor(arrivals: Arrivals) {
    this.#arrivals = arrivals;
  }

  /**
   * Takes a stream that has its listeners; it is let go of when it closes. `ticket` is that of the request it answers.
   * What is returned is to be called whenever a message on it has ended.
   */
  add(stream: Readable, ticket: Ticket | undefined): () => void {
    const { open } = this.#arrivals;
    const flowing: Flowing = { inflow: this, stream, ticket, taken: 0, resting: false, partial: 0 };
    open.add(flowing);
    const ended = (): void => {
      const { partial } = flowing;
      flowing.partial = 0;
      if (partial > BEGUN) this.#applyAll();
    };
    stream.once('close', () => {
      open.delete(flowing);
      ended();
    });
    stream.on('data', (chunk: Buffer) => {
      if (flowing.taken === 0) setImmediate(() => this.#nextTurn(flowing));
      flowing.taken += chunk.length;
      flowing.partial += chunk.length;
      if (flowing.taken < AT_ONCE) return;
      flowing.resting = true;
      stream.pause();
    });
    this.#apply(flowing);
    return ended;
  }

  /** As `Connection.regulate`. */
  regulate(regulation: Regulation): void {
    this.#regulation = regulation;
    this.#applyAll();
  }

  /** Reads whatever comes from now on. */
  release(): void {
    this.regulate(FREE);
  }

  #nextTurn(flowing: Flowing): void {
    flowing.taken = 0;
    flowing.resting = false;
    if (this.#arrivals.open.has(flowing)) this.#apply(flowing);
  }

  #applyAll(): void {
    const loads = this.#loads();
    for (const flowing of this.#arrivals.open) flowing.inflow.#apply(flowing, loads);
  }

  #apply(flowing: Flowing, loads?: ReadonlyMap<object, Load>): void {
    const { stream, ticket, resting } = flowing;
    if (resting || this.#regulation.isHeld(ticket) || this.#waits(flowing, loads)) stream.pause();
    else if (stream.isPaused()) stream.resume();
  }

  /**
   * Whether the rest of a large message waits, since too much is under way for its reader: large messages then come one
   * after the other, so that together they take no more than a few.
   */
  #waits(flowing: Flowing, loads?: ReadonlyMap<object, Load>): boolean {
    if (flowing.partial <= BEGUN) return false;
    const reader = this.#regulation.readerOf(flowing.ticket);
    const load = reader && (loads ?? this.#loads()).get(reader);
    return load !== undefined && load.first !== flowing && load.partial > this.#arrivals.frameBytes / 2;
  }

  #loads(): ReadonlyMap<object, Load> {
    const loads = new Map<object, Load>();
    for (const flowing of this.#arrivals.open) {
      const { inflow, ticket, partial } = flowing;
      const reader = partial > BEGUN ? inflow.#regulation.readerOf(ticket) : undefined;
      if (reader === undefined) continue;
      const load = loads.get(reader);
      if (load === undefined) loads.set(reader, { partial, first: flowing });
      else {
        load.partial += partial;
        if (partial > load.first.partial) load.first = flowing;
      }
    }
    return loads;
  }
}
