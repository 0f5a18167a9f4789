// The url questions of one call that wait and cannot be put to its host inline: what a -32042 to the host lists (ELI-12).
import type { Clock } from '../../clock.ts';
import type { JsonText } from '../../protocol/types.ts';
import { Bell, wait } from '../../waiting.ts';

export interface BlockedUrl {
  /** The server that asks. */
  readonly server: string;
  /** The question as the host would have been sent it. */
  readonly params: JsonText;
  /** Called when the host has been told of it. */
  readonly told: () => void;
}

/** Milliseconds in which questions that come together are told of together. */
const SETTLE = 10;

/** What interrupts the call: `Interruptions` of parkable-call.ts. */
export class BlockedUrls {
  readonly #clock: Clock;
  readonly #blocked = new Map<string, BlockedUrl & { isTold: boolean }>();
  readonly #changed = new Bell();
  /** Questions of this call of which it is not known yet whether they block it. */
  #coming = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Says that a question is being opened; call what is returned once it is known whether it blocks. */
  coming(): () => void {
    this.#coming += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#coming -= 1;
      this.#changed.ring();
    };
  }

  /** The question of this row blocks the call from now on, until the returned function is called. */
  add(rowId: string, url: BlockedUrl): () => void {
    this.#blocked.set(rowId, { ...url, isTold: false });
    this.#changed.ring();
    return () => {
      this.#blocked.delete(rowId);
      this.#changed.ring();
    };
  }

  /**
   * Resolves once the host has to be told of something it does not know yet, with all that blocks the call then. A
   * host that comes back while it was told of everything waits instead: it would only be told the same again (C10).
   */
  async next(signal: AbortSignal): Promise<readonly BlockedUrl[]> {
    for (;;) {
      while (!this.#isNew) await this.#changed.next(signal);
      await this.#settle(signal);
      if (!this.#isNew) continue;
      for (const url of this.#blocked.values()) {
        url.isTold = true;
        url.told();
      }
      return [...this.#blocked.values()];
    }
  }

  get #isNew(): boolean {
    return [...this.#blocked.values()].some(({ isTold }) => !isTold);
  }

  async #settle(signal: AbortSignal): Promise<void> {
    await wait(this.#clock, SETTLE, signal);
    while (this.#coming > 0) await this.#changed.next(signal);
  }
}
