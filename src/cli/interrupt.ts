// What Ctrl+C means while a command would lose something by ending.

/** Whether the command may end now; it has told the person why not where this is false. */
export type MayEnd = () => Promise<boolean>;

/**
 * The way from a SIGINT to the end of the command: straight, or by way of what the command has to say first. A second
 * SIGINT that comes while it still looks ends it.
 */
export class Interrupt {
  #mayEnd: MayEnd | undefined;
  #looking = false;

  /** From now on Ctrl+C asks `mayEnd` first. */
  askFirst(mayEnd: MayEnd): void {
    this.#mayEnd = mayEnd;
  }

  /** Calls `end` at once, later, or not at all. */
  came(end: () => void): void {
    if (this.#mayEnd === undefined || this.#looking) {
      end();
      return;
    }
    this.#looking = true;
    // Whoever cannot look must not be kept from ending.
    void this.#mayEnd()
      .catch(() => true)
      .then((may) => {
        this.#looking = false;
        if (may) end();
      });
  }
}
