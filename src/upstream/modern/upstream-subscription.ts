// One subscriptions/listen that is kept open: read, and opened again when it ends before its time.

import type { Clock } from '../../clock.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { at, json, jsonOf, member, objectText, read } from '../../protocol/json-text.ts';
import { RPC } from '../../protocol/message.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import { Backoff } from '../../waiting.ts';
import type { SubscriptionFilter } from '../types.ts';

/** The wait before it is opened again, doubled each time up to the longest, in milliseconds. */
const FIRST_WAIT_MS = 1000;
/** A stream that has lasted this long counts as a success. */
const LONGEST_WAIT_MS = 30_000;

export interface SubscriptionOptions {
  readonly server: string;
  readonly filter: SubscriptionFilter;
  readonly clock: Clock;
  readonly log: Log;
  /** Nobody wants it any more, or its connection is over. */
  readonly signal: AbortSignal;
  /** Sends `subscriptions/listen`; resolves with the reply that ends it. */
  listen(params: JsonText, onId: (id: JsonText) => void): Promise<Reply>;
}

export class UpstreamSubscription {
  readonly #options: SubscriptionOptions;
  readonly #asked: JsonText;
  /** The id of the request that is open now: notices of this subscription name it. */
  id: JsonText | undefined;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#asked = filterText(options.filter);
  }

  /** Resolves when it is over for good. Never rejects. */
  async run(): Promise<void> {
    const { clock, signal } = this.#options;
    if (this.#asked === '{}') return;
    const backoff = new Backoff(FIRST_WAIT_MS, LONGEST_WAIT_MS);
    while (!signal.aborted) {
      const begun = clock.monotonic();
      if (!(await this.#listen())) return;
      if (clock.monotonic() - begun >= LONGEST_WAIT_MS) backoff.reset();
      await this.#wait(backoff.next());
    }
  }

  /** Takes note of what the server agreed to; what it does not send is not missed in silence. */
  acknowledged(params: JsonText): void {
    const agreed = at(params, ['notifications']) ?? '{}';
    const refused = Object.keys(read(this.#asked) as object).filter(
      (key) => member(agreed, key) === undefined,
    );
    if (refused.length > 0)
      this.#say('debug', { refused: refused.join(', ') }, 'sends no notices of some kinds');
  }

  /** Whether opening it again makes sense. */
  async #listen(): Promise<boolean> {
    try {
      const params = json`{"notifications":${this.#asked}}`;
      const reply = await this.#options.listen(params, (id) => {
        this.id = id;
      });
      if ('result' in reply) {
        this.#say('debug', {}, 'ended a subscription; it is opened again');
        return true;
      }
      const code = Number(member(reply.error, 'code'));
      const never = code === RPC.methodNotFound || code === RPC.invalidParams;
      this.#say(never ? 'warn' : 'debug', { code }, 'refused a subscription');
      return !never;
    } catch (error) {
      if (!this.#options.signal.aborted)
        this.#say('debug', { error: messageOf(error) }, 'lost a subscription; it is opened again');
      return true;
    } finally {
      this.id = undefined;
    }
  }

  #say(level: 'debug' | 'warn', fields: Record<string, string | number>, message: string): void {
    this.#options.log[level]({ server: this.#options.server, ...fields }, message);
  }

  #wait(ms: number): Promise<void> {
    const { clock, signal } = this.#options;
    return new Promise((resolve) => {
      const done = (): void => {
        timer.cancel();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = clock.after(ms, done);
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
    });
  }
}

/** The filter in the words of the specification; what is not asked for is left out. */
function filterText({ tools, prompts, resources, uris }: SubscriptionFilter): JsonText {
  const members: [string, JsonText][] = [];
  if (tools) members.push(['toolsListChanged', 'true']);
  if (prompts) members.push(['promptsListChanged', 'true']);
  if (resources) members.push(['resourcesListChanged', 'true']);
  if (uris.length > 0) members.push(['resourceSubscriptions', jsonOf(uris)]);
  return objectText(members);
}
