// The requests an upstream has sent and not yet had answered: each is seen once and replied to once.
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { idKey, matchId } from '../protocol/ids.ts';
import { replyText } from '../protocol/message.ts';
import type { JsonText, Reply } from '../protocol/types.ts';
import type { Source, Transport } from './transport.ts';
import type { UpstreamRequest } from './types.ts';

/** The abort reason of `UpstreamRequest.signal` when the process or session that asked is gone: its row is lost. */
export class AskerGone extends Error {
  override readonly name = 'AskerGone';
}

/** Answered ids that are remembered, so that a stream that repeats itself does not ask twice. */
const REMEMBERED = 1000;

interface Open {
  readonly scope: string;
  /** The `idKey` of the request. */
  readonly id: string;
  readonly abort: AbortController;
}

export class Questions {
  readonly #server: string;
  readonly #transport: Transport;
  readonly #log: Log;
  readonly #open = new Map<string, Open>();
  readonly #answered = new Set<string>();

  constructor(server: string, transport: Transport, log: Log) {
    this.#server = server;
    this.#transport = transport;
    this.#log = log;
  }

  /** Opens one, or returns undefined for one that is open already or comes again on a resumed stream. */
  open(
    id: JsonText,
    method: string,
    params: JsonText | undefined,
    source: Source,
  ): UpstreamRequest | undefined {
    const key = keyOf(source.scope, id);
    if (this.#open.has(key) || (source.replayed && this.#answered.has(key))) {
      this.#log.debug({ server: this.#server, method }, 'dropped a request that was seen before');
      return undefined;
    }
    const abort = new AbortController();
    this.#open.set(key, { scope: source.scope, id: idKey(id) ?? id, abort });
    return {
      id,
      method,
      params,
      origin: source.origin,
      signal: abort.signal,
      reply: (reply) => this.#reply(key, id, source.scope, reply),
    };
  }

  /** The upstream takes one back; an id that is not open is ignored, since the two may have crossed (C22). */
  withdraw(id: JsonText, scope: string, reason: string): void {
    const inScope = new Map<string, string>();
    for (const [key, open] of this.#open) if (open.scope === scope) inScope.set(open.id, key);
    const found = matchId(inScope, id);
    if ('key' in found) this.#close(inScope.get(found.key) ?? '')?.abort.abort(reason);
  }

  endScope(scope: string, reason: string): void {
    for (const [key, open] of [...this.#open]) {
      if (open.scope === scope) this.#close(key)?.abort.abort(new AskerGone(reason));
    }
  }

  endAll(reason: string): void {
    for (const key of [...this.#open.keys()]) this.#close(key)?.abort.abort(new AskerGone(reason));
  }

  async #reply(key: string, id: JsonText, scope: string, reply: Reply): Promise<boolean> {
    if (this.#close(key) === undefined) return false;
    try {
      await this.#transport.send(replyText(id, reply), { kind: 'reply', scope });
      return true;
    } catch (error) {
      this.#log.warn({ server: this.#server, error: messageOf(error) }, 'could not deliver a reply');
      return false;
    }
  }

  #close(key: string): Open | undefined {
    const open = this.#open.get(key);
    if (open === undefined) return undefined;
    this.#open.delete(key);
    this.#answered.add(key);
    if (this.#answered.size > REMEMBERED) {
      const oldest = this.#answered.values().next();
      if (!oldest.done) this.#answered.delete(oldest.value);
    }
    return open;
  }
}

/** `7` and `"7"` are two ids (C15), `7` and `7.0` are one. */
function keyOf(scope: string, id: JsonText): string {
  return `${scope} ${idKey(id) ?? id}`;
}
