// The requests that mcpx sends to one host: ids of its own, replies matched, withdrawal.

import { McpxError } from '../errors.ts';
import { matchId } from '../protocol/ids.ts';
import { json, quote } from '../protocol/json-text.ts';
import { notificationText, requestText } from '../protocol/message.ts';
import type { JsonText, Reply } from '../protocol/types.ts';
import type { HostStream } from './host-stream.ts';

/** Where an ask goes, and when it is taken back. */
export interface AskOptions {
  readonly stream: HostStream;
  readonly signal: AbortSignal;
  /** Puts the withdrawal elsewhere when the stream of the question can carry nothing more. */
  readonly otherwise: () => HostStream | undefined;
  /** Whether the host is still to be told of a withdrawal; not when it cancelled the call itself (C23). */
  readonly tell: () => boolean;
}

/** Open requests towards one host session; an id is never used twice in it. */
export class Asks {
  readonly #open = new Map<JsonText, { settle(reply: Reply): void; fail(reason: unknown): void }>();
  #last = 0;

  /**
   * Sends a request and resolves with the host's reply, an error reply included. When `signal` aborts, the host gets
   * `notifications/cancelled` on the same stream (basic/utilities/cancellation) and the promise rejects with its reason.
   */
  send(method: string, params: JsonText | undefined, options: AskOptions): Promise<Reply> {
    const { stream, signal } = options;
    return new Promise((resolve, reject) => {
      this.#last += 1;
      const id = quote(`mcpx-${this.#last}`);
      const withdraw = (): void => {
        this.#open.delete(id);
        if (options.tell()) tellWithdrawn(id, options);
        reject(signal.reason);
      };
      const close = (): void => {
        this.#open.delete(id);
        signal.removeEventListener('abort', withdraw);
      };
      this.#open.set(id, {
        settle: (reply) => {
          close();
          resolve(reply);
        },
        fail: (reason) => {
          close();
          reject(reason);
        },
      });
      signal.addEventListener('abort', withdraw, { once: true });
      if (!stream.send(requestText(id, method, params), true)) {
        close();
        reject(new McpxError('unreachable', 'The host has no open stream on which it could be asked.'));
      }
    });
  }

  /**
   * Hands over the host's reply. `none` when nothing with this id is open: unknown, answered or withdrawn.
   */
  settle(id: JsonText, reply: Reply): 'taken' | 'other type' | 'none' {
    const found = matchId(this.#open, id);
    if ('key' in found) {
      this.#open.get(found.key)?.settle(reply);
      return found.fit === 'same' ? 'taken' : 'other type';
    }
    return 'none';
  }

  /** Hands a reply that names no request to the only one that is open (C56); false where there are none or several. */
  settleOnly(reply: Reply): boolean {
    const [only] = this.#open.values();
    if (only === undefined || this.#open.size > 1) return false;
    only.settle(reply);
    return true;
  }

  /** The session is over: every open ask rejects with `reason`, and the host is told nothing. */
  failAll(reason: unknown): void {
    for (const ask of [...this.#open.values()]) ask.fail(reason);
  }
}

function tellWithdrawn(id: JsonText, { stream, otherwise }: AskOptions): void {
  const notice = notificationText('notifications/cancelled', json`{"requestId":${id}}`);
  // Kept like the question itself: a host that resumes and sees the one must see the other.
  if (!stream.send(notice, true)) otherwise()?.send(notice, true);
}
