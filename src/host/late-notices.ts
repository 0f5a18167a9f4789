// Notices that a host did not read in time and that must not be lost: one of each kind, told as soon as it reads again.
import { member } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import type { HostStream } from './host-stream.ts';

/** More resources than that are not remembered; a host that is so far behind has to look at them all anyway. */
const MOST = 1000;

export class LateNotices {
  readonly #waiting = new Map<string, JsonText>();

  /** Sends a notice, or keeps it until there is room where it tells of a change. */
  send(stream: HostStream, method: string, params: JsonText | undefined, text: JsonText): void {
    // One that waits already tells the same.
    if (stream.send(text, false) || !isChange(method)) return;
    const key = `${method} ${(params === undefined ? undefined : member(params, 'uri')) ?? ''}`;
    if (this.#waiting.size >= MOST && !this.#waiting.has(key)) return;
    const isFirst = this.#waiting.size === 0;
    this.#waiting.set(key, text);
    if (isFirst) stream.whenRoom(() => this.#flush(stream));
  }

  #flush(stream: HostStream): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [index, [key, text]] of waiting.entries()) {
      if (stream.send(text, false)) continue;
      for (const [later, notice] of waiting.slice(index)) this.#waiting.set(later, notice);
      if (this.#waiting.has(key)) stream.whenRoom(() => this.#flush(stream));
      return;
    }
  }
}

function isChange(method: string): boolean {
  return method.endsWith('/list_changed') || method === 'notifications/resources/updated';
}
