// Whose turn it is: askers take turns, each has one piece of work running at most, and whoever ran out of time lately
// comes last.

/** How many of its askers' names a queue remembers as slow. */
const MOST_SLOW = 1_000;

/** Work by asker. Knows nothing of what the work is. */
export class FairQueue<T> {
  /** In the order of their turns: an asker goes to the end when it is served. */
  readonly #waiting = new Map<string, T[]>();
  readonly #running = new Set<string>();
  readonly #slow = new Set<string>();

  push(asker: string, item: T): void {
    const line = this.#waiting.get(asker);
    if (line) line.push(item);
    else this.#waiting.set(asker, [item]);
  }

  /**
   * The next piece of work, its asker counted as running until `release`. With `spare` places that are free, the last
   * of them is never given to an asker that ran out of time before: the others find one.
   */
  take(spare: number): { readonly asker: string; readonly item: T } | undefined {
    let chosen: string | undefined;
    for (const asker of this.#waiting.keys()) {
      if (this.#running.has(asker)) continue;
      if (!this.#slow.has(asker)) {
        chosen = asker;
        break;
      }
      if (spare > 1) chosen ??= asker;
    }
    if (chosen === undefined) return undefined;
    const line = this.#waiting.get(chosen) ?? [];
    const item = line.shift();
    this.#waiting.delete(chosen);
    if (line.length > 0) this.#waiting.set(chosen, line);
    if (item === undefined) return undefined;
    this.#running.add(chosen);
    return { asker: chosen, item };
  }

  /** The work of an asker is over; `late` when it ran out of time. */
  release(asker: string, late: boolean): void {
    this.#running.delete(asker);
    this.#slow.delete(asker);
    if (!late) return;
    if (this.#slow.size >= MOST_SLOW) this.#slow.clear();
    this.#slow.add(asker);
  }

  /** Everything that waits, taken out. */
  drain(): T[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    return all;
  }
}
