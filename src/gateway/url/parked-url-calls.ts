// Calls whose host was told of URLs by -32042: they go on without it, and the same request takes them up again (ELI-12).
import type { Clock, Timer } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import type { Exchange } from '../../host/types.ts';
import { canonical, withoutMembers } from '../../protocol/json-text.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import { urlRequiredReply } from '../../protocol/url-required.ts';
import type { Call } from '../call.ts';
import type { HostState } from '../host-state.ts';
import { progressOf } from '../progress.ts';
import { knowsUrlErrors } from './url-ability.ts';

export interface ParkedOptions {
  readonly clock: Clock;
  /** `limits.parkedCalls`. */
  readonly most: number;
  /** Milliseconds that a call waits for its host to come back, and its outcome too (`elicit.ttl`). */
  readonly ttl: number;
}

interface Entry {
  /** Known once it is parked: most calls never are, and their parameters may be large. */
  key: string | undefined;
  readonly call: Call;
  readonly outcome: Promise<Reply>;
  /** The host's requests that wait for the outcome now. */
  readonly attached: Set<Exchange>;
  expiry: Timer | undefined;
}

/** All parked calls of one gateway. */
export class ParkedUrlCalls {
  readonly #options: ParkedOptions;
  /** Oldest first; the same request may have been made several times at once. */
  readonly #parked = new Set<Entry>();

  constructor(options: ParkedOptions) {
    this.#options = options;
  }

  /**
   * The reply to the request that started a call: its `outcome`, or -32042 as soon as a URL question of it can be
   * shown to the host in no other way. Then the call is parked under session, method and parameters.
   */
  serve(call: Call, exchange: Exchange, outcome: Promise<Reply>): Promise<Reply> {
    const { host } = call;
    if (!knowsUrlErrors(host.session.facts)) return outcome;
    const attached = new Set([exchange]);
    return this.#wait({ key: undefined, call, outcome, attached, expiry: undefined }, exchange);
  }

  /** The reply to a request that takes up a parked call; undefined where there is none that it could mean. */
  takeUp(host: HostState, exchange: Exchange): Promise<Reply> | undefined {
    if (this.#parked.size === 0 || !knowsUrlErrors(host.session.facts)) return undefined;
    const key = keyOf(host, exchange);
    const same = [...this.#parked].filter((entry) => entry.key === key);
    // Of several, one that nobody waits for; else the newest, which then has two that wait.
    const entry = same.find(({ attached }) => attached.size === 0) ?? same.at(-1);
    if (entry === undefined) return undefined;
    entry.expiry?.cancel();
    entry.attached.add(exchange);
    entry.call.attach(exchange, progressOf(host, exchange));
    return this.#wait(entry, exchange);
  }

  async #wait(entry: Entry, exchange: Exchange): Promise<Reply> {
    const { call, outcome } = entry;
    const over = new AbortController();
    const stop = (): void => over.abort(STOPPED);
    exchange.signal.addEventListener('abort', stop, { once: true });
    const untold = call.blocked.untold(over.signal);
    untold.catch(() => {});
    try {
      const first = await Promise.race([
        outcome.then((reply) => ({ reply })),
        untold.then((urls) => ({ urls })),
      ]);
      if ('urls' in first) return this.#park(entry, exchange, first.urls);
      this.#parked.delete(entry);
      return first.reply;
    } catch (error) {
      if (error !== STOPPED) this.#parked.delete(entry);
      throw error;
    } finally {
      exchange.signal.removeEventListener('abort', stop);
      stop();
      this.#left(entry, exchange);
    }
  }

  #park(entry: Entry, exchange: Exchange, urls: readonly JsonText[]): Reply {
    const { call, outcome } = entry;
    if (!this.#parked.has(entry)) {
      const { most } = this.#options;
      if (this.#parked.size >= most) this.#dropEnded();
      if (this.#parked.size >= most) {
        const full = new McpxError(
          'limit',
          `mcpx keeps as many calls for their hosts to come back to as limits.parkedCalls allows (${most})`,
          'raise limits.parkedCalls in mcpx.json',
        );
        call.cut(full);
        throw full;
      }
      entry.key = keyOf(call.host, exchange);
      this.#parked.add(entry);
      // Its session is over, or nobody came back in time: then nobody is there who could be told.
      outcome.catch(() => this.#parked.delete(entry));
    }
    call.leave(exchange);
    const what = urls.length === 1 ? 'a URL' : `${urls.length} URLs`;
    return urlRequiredReply(
      `${call.server} needs you to open ${what} first: consent with "mcpx elicit accept", and send this request again`,
      urls,
    );
  }

  /** Nobody can come back from a session that is over. */
  #dropEnded(): void {
    for (const entry of this.#parked) {
      if (!entry.call.host.session.ended.aborted) continue;
      entry.expiry?.cancel();
      this.#parked.delete(entry);
    }
  }

  /** Once nobody waits for a parked call, its time runs. */
  #left(entry: Entry, exchange: Exchange): void {
    entry.attached.delete(exchange);
    if (entry.attached.size > 0 || !this.#parked.has(entry)) return;
    entry.expiry = this.#options.clock.after(this.#options.ttl, () => {
      this.#parked.delete(entry);
      entry.call.cut(new McpxError('timeout', 'the host did not come back for this call within elicit.ttl'));
    });
  }
}

const STOPPED = new Error('nobody waits here any more');

/** The retry may carry another progress token, and the same arguments in another spelling. */
function keyOf(host: HostState, { method, params }: Exchange): string {
  const salient = params === undefined ? '{}' : canonical(withoutMembers(params, ['_meta']));
  return `${host.session.id} ${method} ${salient}`;
}
