// The broker of a gateway far away, by its API: the same rows, answers and failures as the store of this machine gives.
import { notFound } from '../../broker/ids.ts';
import type { BrokerClient, Change, Row, RowFilter, ServersSeen, Settled } from '../../broker/types.ts';
import { isDelivered } from '../../broker/waiters.ts';
import type { Clock } from '../../clock.ts';
import { elements, member, objectText, quote, stringOf } from '../../protocol/json-text.ts';
import type { JsonText } from '../../protocol/types.ts';
import { followEvents, rowOf } from './follow-events.ts';
import { type GatewayAddress, GatewayHttp, isBroken, isGone } from './gateway-http.ts';

const PAGE = 200;

/** Rows of the principal whose token it carries. All methods may reject with McpxError `unreachable` or `forbidden`. */
export class RestClient implements BrokerClient {
  readonly #http: GatewayHttp;
  readonly #clock: Clock;
  /** Settles when the newest stream of events is open or has failed. */
  #streaming: Promise<unknown> = Promise.resolve();
  #answered: Row | undefined;

  constructor(address: GatewayAddress, clock: Clock) {
    this.#http = new GatewayHttp(address);
    this.#clock = clock;
  }

  async get(idOrPrefix: string): Promise<Row> {
    await this.#streaming;
    const { text } = await this.#http.send('GET', pathOf(idOrPrefix));
    return this.#row(text);
  }

  async list(filter: RowFilter = {}): Promise<Row[]> {
    // What changes after a stream has begun is in the stream, what changed before must be in the list.
    await this.#streaming;
    const { limit = Number.POSITIVE_INFINITY, after, state, server, audience } = filter;
    const found: Row[] = [];
    let from = after;
    while (found.length < limit) {
      const query = new URLSearchParams({ limit: String(Math.min(PAGE, limit - found.length)) });
      for (const [name, value] of Object.entries({ state, server, audience, after: from }))
        if (value !== undefined) query.set(name, value);
      const { text } = await this.#http.send('GET', `/v1/elicit?${query}`);
      for (const row of elements(member(text, 'rows') ?? '[]')) found.push(this.#row(row));
      from = stringOf(member(text, 'next'));
      if (from === undefined) break;
    }
    return found;
  }

  async servers(): Promise<ServersSeen> {
    const { text } = await this.#http.send('GET', '/v1/servers');
    const names = elements(member(text, 'servers') ?? '[]').map((one) => stringOf(member(one, 'name')) ?? '');
    return { names, complete: true };
  }

  async answer(id: string, answer: Parameters<BrokerClient['answer']>[1]): Promise<Settled> {
    const { action, content, by } = answer;
    const members: [string, JsonText][] = [];
    // Checked and filled here: what the person was shown is what is sent, and nothing is put into it any more.
    if (content !== undefined) members.push(['content', content], ['defaults', 'false']);
    else if (action === 'accept') members.push(['consent', 'true']);
    if (by === 'cli' || by === 'tui') members.push(['by', quote(by)]);
    const { status, text } = await this.#http.send('POST', pathOf(id, action), objectText(members));
    const won = status === 200;
    const row = this.#row((won ? text : member(text, 'row')) ?? 'null');
    this.#answered = row;
    return { won, row };
  }

  async completed(id: string): Promise<Row> {
    const { status, text } = await this.#http.send('POST', pathOf(id, 'done'), '{}');
    return this.#row((status === 200 ? text : member(text, 'row')) ?? 'null');
  }

  settled(id: string, signal?: AbortSignal): Promise<Row> {
    return this.#until(id, (row) => row.state !== 'pending', signal ?? new AbortController().signal);
  }

  async awaitDelivery(id: string, ms: number): Promise<Row> {
    try {
      return await this.#within(id, ms, isDelivered);
    } catch (error) {
      // The answer counts, whatever becomes of the gateway meanwhile.
      if (this.#answered?.id !== id) throw error;
      // A connection that broke says less than the next attempt to make one.
      const after = isBroken(error) ? await this.get(id).catch((failure: unknown) => failure) : error;
      if (isRow(after)) return after;
      if (!isGone(after)) return this.#answered;
      const reason = `the gateway is gone, nothing listens at ${this.#http.base} any more`;
      return { ...this.#answered, undelivered: true, reason };
    }
  }

  awaitCompletion(id: string, ms: number, signal: AbortSignal): Promise<Row> {
    return this.#within(id, ms, (row) => row.completedAt !== undefined, signal);
  }

  changes({ since, signal }: { since?: number; signal: AbortSignal }): AsyncIterable<Change> {
    const first = this.#http.events(since === undefined ? undefined : String(since), signal);
    this.#streaming = first.catch(() => {});
    return followEvents({ http: this.#http, clock: this.#clock, signal, first });
  }

  /** Nothing of its own: whoever watches follows the changes, and every stream of events counts as watching. */
  watching(): void {}

  close(): Promise<void> {
    return this.#http.close();
  }

  async #until(id: string, done: (row: Row) => boolean, signal: AbortSignal): Promise<Row> {
    signal.throwIfAborted();
    const enough = new AbortController();
    try {
      const changes = this.changes({ signal: AbortSignal.any([signal, enough.signal]) });
      const now = await this.get(id);
      if (done(now)) return now;
      for await (const { row } of changes) if (row.id === now.id && done(row)) return row;
      throw signal.reason;
    } finally {
      enough.abort();
    }
  }

  async #within(id: string, ms: number, done: (row: Row) => boolean, signal?: AbortSignal): Promise<Row> {
    const late = new AbortController();
    const timer = this.#clock.after(ms, () => late.abort());
    const ended = signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]);
    try {
      return await this.#until(id, done, ended);
    } catch (error) {
      if (!late.signal.aborted) throw error;
      return await this.get(id);
    } finally {
      timer.cancel();
    }
  }

  #row(text: JsonText): Row {
    try {
      return rowOf(text);
    } catch (error) {
      throw this.#http.noGateway(error);
    }
  }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'expiresAt' in value;
}

/** McpxError `not_found` for what is no id, nor the beginning of one: `..` would lead elsewhere in a path. */
function pathOf(id: string, action?: string): string {
  if (!/^[\w-]{1,64}$/.test(id)) throw notFound(id);
  const path = `/v1/elicit/${id}`;
  return action === undefined ? path : `${path}/${action}`;
}
