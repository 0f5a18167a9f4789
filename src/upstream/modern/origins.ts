// On a pipe that all requests share: which of them a progress or log notification belongs to.
import { at, member } from '../../protocol/json-text.ts';
import type { JsonText } from '../../protocol/types.ts';
import type { Ticket } from '../types.ts';

export class Origins {
  readonly #byToken = new Map<JsonText, Ticket>();
  /** The tickets of the requests that asked for log messages; a server may send them for no other. */
  readonly #logged: Ticket[] = [];

  /** Takes note of a request; the returned function forgets it. */
  note(params: JsonText, ticket: Ticket | undefined, logLevel: string | undefined): () => void {
    if (ticket === undefined) return () => {};
    const token = at(params, ['_meta', 'progressToken']);
    if (token !== undefined) this.#byToken.set(token, ticket);
    if (logLevel !== undefined) this.#logged.push(ticket);
    return () => {
      if (token !== undefined && this.#byToken.get(token) === ticket) this.#byToken.delete(token);
      const index = logLevel === undefined ? -1 : this.#logged.indexOf(ticket);
      if (index !== -1) this.#logged.splice(index, 1);
    };
  }

  /** Undefined where nothing tells. */
  of(method: string, params: JsonText | undefined): Ticket | undefined {
    if (method === 'notifications/progress' && params !== undefined) {
      const token = member(params, 'progressToken');
      return token === undefined ? undefined : this.#byToken.get(token);
    }
    if (method !== 'notifications/message') return undefined;
    const [only, ...others] = new Set(this.#logged);
    return others.length === 0 ? only : undefined;
  }
}
