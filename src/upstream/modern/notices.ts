// The notifications of a modern upstream, sorted: of a subscription, of a request, or of nothing that is open.
import type { Log } from '../../log.ts';
import { matchId } from '../../protocol/ids.ts';
import { at, member, withAt } from '../../protocol/json-text.ts';
import { META } from '../../protocol/meta.ts';
import type { JsonText } from '../../protocol/types.ts';
import type { Engine } from '../engine.ts';
import type { Ticket, UpstreamNotification } from '../types.ts';
import type { UpstreamSubscription } from './upstream-subscription.ts';

export interface NoticesOptions {
  readonly server: string;
  readonly engine: Engine;
  readonly log: Log;
  /** Takes what the relay is to hear. */
  pass(notification: UpstreamNotification): void;
}

export class Notices {
  readonly origins = new Origins();
  /** Those that are wanted, open or between two openings. */
  readonly subscriptions = new Set<UpstreamSubscription>();
  readonly #options: NoticesOptions;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  hear({ method, params, origin }: UpstreamNotification): void {
    const { server, log, pass } = this.#options;
    if (method === 'notifications/cancelled') {
      this.#cancelled(params === undefined ? undefined : member(params, 'requestId'));
      return;
    }
    const id = params === undefined ? undefined : at(params, ['_meta', META.subscriptionId]);
    if (params === undefined || id === undefined) {
      pass({ method, params, origin: origin ?? this.origins.of(method, params) });
      return;
    }
    const subscription = this.#subscriptionOf(id);
    if (subscription === undefined) {
      log.debug({ server }, 'dropped a notice without an open subscription');
    } else if (method === 'notifications/subscriptions/acknowledged') {
      subscription.acknowledged(params);
    } else {
      pass({ method, params: withoutSubscription(params), origin: undefined });
    }
  }

  /** Servers may cancel subscriptions, and nothing else (basic/patterns/cancellation). */
  #cancelled(id: JsonText | undefined): void {
    const own = id === undefined ? undefined : this.#subscriptionOf(id)?.id;
    if (own !== undefined) this.#options.engine.drop(own, 'it ended a subscription');
  }

  #subscriptionOf(id: JsonText): UpstreamSubscription | undefined {
    const open = new Map<string, UpstreamSubscription>();
    for (const one of this.subscriptions) if (one.id !== undefined) open.set(one.id, one);
    // Some servers print the number that they were given as a string.
    const found = matchId(open, id);
    return 'key' in found ? open.get(found.key) : undefined;
  }
}

/** The id means nothing to anybody but this connection. */
function withoutSubscription(params: JsonText): JsonText {
  const bare = withAt(params, ['_meta', META.subscriptionId], undefined);
  return member(bare, '_meta')?.replaceAll(/\s/g, '') === '{}' ? withAt(bare, ['_meta'], undefined) : bare;
}

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
