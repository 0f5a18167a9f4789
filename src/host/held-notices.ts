// Notices that a host should see although it has no stream open now: kept for a while, for the next stream.
import type { JsonText } from '../protocol/types.ts';
import type { HostStream } from './host-stream.ts';

/** The oldest go first; a host that never opens a stream must not fill the memory. */
const MOST = 100;

export class HeldNotices {
  readonly #now: () => number;
  #held: { readonly text: JsonText; readonly until: number }[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Keeps a notice for `ms` milliseconds. */
  add(text: JsonText, ms: number): void {
    const now = this.#now();
    this.#held = this.#held.filter(({ until }) => until > now).slice(-(MOST - 1));
    this.#held.push({ text, until: now + ms });
  }

  /** Puts on a stream what is still worth telling; each notice is told once. */
  flush(stream: HostStream): void {
    if (this.#held.length === 0 || !stream.open) return;
    const now = this.#now();
    const held = this.#held;
    this.#held = [];
    for (const { text, until } of held) if (until > now) stream.send(text, true);
  }
}
