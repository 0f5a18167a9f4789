// The calls that were made through the API: while they run, and for a while their outcome, in memory alone.
import { newCallId } from '../broker/ids.ts';
import type { Clock } from '../clock.ts';
import { McpxError } from '../errors.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { OwnCall } from '../gateway/own-calls.ts';
import { member, quote, stringOf } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';

export interface CallsOptions {
  readonly call: Gateway['call'];
  readonly clock: Clock;
  /** `limits.parkedCalls`: calls that run, and outcomes that are kept. */
  readonly most: number;
}

/** Milliseconds that an outcome can be fetched. */
const KEPT = 600_000;
/** Characters of outcomes kept in all; the oldest go first. */
const MOST_TEXT = 64 * 1024 * 1024;

/** How a call ended: the text of its result, or what to say of its failure. */
export type Outcome = { readonly result: JsonText } | { readonly failure: unknown };

export class ApiCall {
  readonly id: string;
  readonly principal: string;
  outcome: Outcome | undefined;
  /** Resolves once there is an outcome. */
  readonly ended: Promise<void>;
  readonly #stop: AbortController;

  constructor(id: string, principal: string, stop: AbortController, work: Promise<Outcome>) {
    this.id = id;
    this.principal = principal;
    this.#stop = stop;
    this.ended = work.then((outcome) => {
      this.outcome = outcome;
    });
  }

  /** Gives the call up: whoever made it went away. */
  cut(): void {
    this.#stop.abort(new McpxError('interrupted', 'Whoever made the call through the API went away.'));
  }
}

export class Calls {
  readonly #options: CallsOptions;
  /** In the order of their beginning. */
  readonly #calls = new Map<string, ApiCall>();

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /** McpxError `limit` when as many calls run as may; an outcome that is only kept makes room. */
  start(call: Pick<OwnCall, 'server' | 'tool' | 'arguments' | 'principal'>): ApiCall {
    this.#makeRoom();
    const id = newCallId();
    const stop = new AbortController();
    const work = this.#run({ ...call, id, signal: stop.signal });
    const started = new ApiCall(id, call.principal, stop, work);
    this.#calls.set(id, started);
    return started;
  }

  get(id: string): ApiCall | undefined {
    return this.#calls.get(id);
  }

  /** Keeps the outcome for whoever comes back for it, within the time and the room there is. */
  keep(call: ApiCall): void {
    void call.ended.then(() => {
      this.#options.clock.after(KEPT, () => this.forget(call));
      let kept = 0;
      for (const one of [...this.#calls.values()].reverse()) {
        kept += sizeOf(one);
        if (kept > MOST_TEXT && one !== call && one.outcome !== undefined) this.forget(one);
      }
    });
  }

  forget(call: ApiCall): void {
    this.#calls.delete(call.id);
  }

  async #run(call: OwnCall): Promise<Outcome> {
    try {
      const reply = await this.#options.call(call);
      if ('result' in reply) return reply;
      const said = stringOf(member(reply.error, 'message')) ?? reply.error;
      return { failure: new McpxError('upstream', `${call.server} answered with an error: ${said}`) };
    } catch (failure) {
      return { failure };
    }
  }

  #makeRoom(): void {
    const { most } = this.#options;
    if (this.#calls.size < most) return;
    const oldest = [...this.#calls.values()].find(({ outcome }) => outcome !== undefined);
    if (oldest === undefined)
      throw new McpxError(
        'limit',
        `As many calls run as limits.parkedCalls allows (${most}).`,
        'Answer or cancel the questions they wait for, or raise limits.parkedCalls in mcpx.json.',
      );
    this.forget(oldest);
  }
}

/** The failure of a call that is not there, or not there any more, or somebody else's. */
export function noCall(id: string): McpxError {
  const shown = /^[\w-]{1,40}$/.test(id) ? quote(id) : 'of that id';
  return new McpxError(
    'not_found',
    `There is no call ${shown}.`,
    'Outcomes are kept for ten minutes, and not beyond the life of the gateway.',
  );
}

function sizeOf({ outcome }: ApiCall): number {
  return outcome !== undefined && 'result' in outcome ? outcome.result.length : 0;
}
