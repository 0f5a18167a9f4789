// Keeps the process running while somebody awaits another process's doing; timers and watches alone never do.

const FOREVER = 2_147_483_647;

export class KeepRunning {
  #count = 0;
  #handle: NodeJS.Timeout | undefined;

  /** Holds the process until the returned function is called. */
  take(): () => void {
    this.#count += 1;
    this.#handle ??= setInterval(() => {}, FOREVER);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#count -= 1;
      if (this.#count > 0) return;
      clearInterval(this.#handle);
      this.#handle = undefined;
    };
  }
}
