// Stateless hosts on a pipe: requests side by side, told apart and given up by their ids (basic/transports/stdio).
import { Cancelled } from '../../protocol/cancelled.ts';
import { idKey, matchId } from '../../protocol/ids.ts';
import { member } from '../../protocol/json-text.ts';
import { errorReply, RPC, replyText } from '../../protocol/message.ts';
import type { JsonText, Notification, Request } from '../../protocol/types.ts';
import type { HostStream } from '../host-stream.ts';
import type { StatelessExchange } from './stateless-exchange.ts';
import { StatelessHosts, type StatelessOptions } from './stateless-hosts.ts';

/** A request of which the exchange may still be to come. */
interface Slot {
  exchange: StatelessExchange | undefined;
  /** The host has given it up. */
  cancelled: Cancelled | undefined;
}

export class StdioStateless {
  readonly #hosts: StatelessHosts;
  readonly #principal: string;
  readonly #stream: HostStream;
  /** By the `idKey` of the request. */
  readonly #slots = new Map<string, Slot>();

  constructor(options: Omit<StatelessOptions, 'subscriptions'> & { principal: string }, stream: HostStream) {
    this.#hosts = new StatelessHosts({ ...options, subscriptions: Number.POSITIVE_INFINITY });
    this.#principal = options.principal;
    this.#stream = stream;
  }

  get served(): boolean {
    return this.#hosts.served;
  }

  /** Ends what is open; `reason` is a sentence. */
  close(reason: string): void {
    this.#hosts.close(reason);
  }

  /**
   * Serves a request that claims to be of this era. Resolves with its response, with undefined when none is to be sent,
   * and with `legacy` where it turns out to be of an older revision.
   */
  async serve(request: Request): Promise<{ readonly text: JsonText } | 'legacy' | undefined> {
    const { id } = request;
    const key = idKey(id) ?? id;
    if (this.#slots.has(key)) {
      const message = 'A request with this id is still open; every request needs an id of its own.';
      return { text: replyText(id, errorReply(RPC.invalidRequest, message)) };
    }
    const slot: Slot = { exchange: undefined, cancelled: undefined };
    this.#slots.set(key, slot);
    const answer = await this.#hosts.serve(request, {
      from: { principal: this.#principal, transport: 'stdio' },
      stream: this.#stream,
      streams: true,
      headers: undefined,
      onOpen: (exchange) => {
        slot.exchange = exchange;
        if (slot.cancelled) exchange.abort(slot.cancelled);
      },
    });
    this.#slots.delete(key);
    if (answer === undefined || answer === 'legacy') return answer;
    return slot.cancelled ? undefined : { text: replyText(id, answer.reply) };
  }

  /** Gives up the request that a `notifications/cancelled` names; false where it is none of these. */
  cancelled({ method, params }: Notification): boolean {
    if (method !== 'notifications/cancelled' || params === undefined) return false;
    const id = member(params, 'requestId');
    const found = id === undefined ? undefined : matchId(this.#slots, id);
    const slot = found !== undefined && 'key' in found ? this.#slots.get(found.key) : undefined;
    if (slot === undefined) return false;
    slot.cancelled = new Cancelled(params);
    slot.exchange?.abort(slot.cancelled);
    return true;
  }
}
