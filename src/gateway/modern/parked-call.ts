// A live call on behalf of a stateless host: its questions go out with one request of the host and come back with another.
import { newCallId } from '../../broker/ids.ts';
import { McpxError } from '../../errors.ts';
import type { Exchange, HostFacts, HostSession, StatelessRequest } from '../../host/types.ts';
import { readAnswer } from '../../protocol/elicitation.ts';
import { isObject } from '../../protocol/json-text.ts';
import { errorReply, RPC } from '../../protocol/message.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import { HostState } from '../host-state.ts';
import type { Progress } from '../progress.ts';

/** Milliseconds after the first question in which others join it (design/2-relay.md, "2026-07-28"). */
const SETTLE = 10;

/** What the host is asked, under the key it answers by. */
export type Asked = readonly [key: string, method: string, params: JsonText | undefined];

/** What one request of the host comes to: the final reply, or questions that it has to bring back answered. */
export type Turn = { readonly reply: Reply } | { readonly asked: readonly Asked[] };

interface Open {
  readonly method: string;
  readonly params: JsonText | undefined;
  answer(reply: Reply): void;
}

interface Attached {
  readonly progress: Progress | undefined;
  readonly resolve: (turn: Turn) => void;
}

export interface ParkedCallOptions {
  readonly facts: HostFacts;
  readonly method: string;
  readonly params: JsonText | undefined;
  /** Whether one more call may wait for its host (`limits.parkedCalls`). */
  readonly mayPark: () => boolean;
  readonly after: (ms: number, fire: () => void) => void;
}

/**
 * Stands between a stateless host and the relay, which sees a session like any other: asking it keeps the question
 * until a request of the host can carry it. The call runs once, whatever the host repeats (ELI-17).
 */
export class ParkedCall {
  readonly id = newCallId();
  readonly host: HostState;
  readonly exchange: Exchange;
  readonly #options: ParkedCallOptions;
  readonly #ended = new AbortController();
  readonly #given = new AbortController();
  readonly #open = new Map<string, Open>();
  /** Requests of the host that are open now. */
  readonly #attached = new Map<StatelessRequest, Attached>();
  /** As the newest request has them: a host declares what it can with each. */
  #facts: HostFacts;
  #outcome: Reply | undefined;
  #keys = 0;
  #settling = false;

  constructor(options: ParkedCallOptions) {
    this.#options = options;
    const { facts, method, params } = options;
    this.#facts = facts;
    const current = (): HostFacts => this.#facts;
    const session: HostSession = {
      id: this.id,
      get facts() {
        return current();
      },
      ended: this.#ended.signal,
      request: (asked, text, { signal, key }) => this.#ask(asked, text, signal, key),
      reachable: () => !this.#ended.signal.aborted,
      notify: () => {},
    };
    this.host = new HostState(session, true);
    this.exchange = {
      method,
      params,
      signal: this.#given.signal,
      streams: true,
      notify: (note, text) => {
        for (const [request, { progress }] of this.#attached) {
          // Each request has a token of its own, or none; another's means nothing there.
          if (note === 'notifications/progress') progress?.relay(text ?? '{}');
          else request.notify(note, text);
        }
      },
    };
  }

  /** The final reply, once there is one. */
  get outcome(): Reply | undefined {
    return this.#outcome;
  }

  /** Whether the host has questions to answer and no request of it is open. */
  get waits(): boolean {
    return this.#outcome === undefined && this.#attached.size === 0;
  }

  /** Runs the call; `run` resolves with its reply. To be called once. */
  async run(run: () => Promise<Reply>): Promise<void> {
    try {
      this.#end(await run());
    } catch (error) {
      // Nobody may be left waiting, whatever failed.
      this.#end(errorReply(RPC.internal, 'Something went wrong inside mcpx.'));
      throw error;
    }
  }

  #end(reply: Reply): void {
    this.#outcome = reply;
    this.#ended.abort('the call has ended');
    const waiting = [...this.#attached.values()];
    this.#attached.clear();
    this.#park();
    for (const { resolve } of waiting) resolve({ reply });
  }

  /** Gives the call up; its questions are cancelled. */
  cut(reason: unknown): void {
    this.#given.abort(reason);
  }

  /**
   * Takes the answers a retry brings. Unknown keys are ignored. The sentence says what is wrong with one that is no
   * answer; then nothing is taken.
   */
  answers(responses: ReadonlyMap<string, JsonText>): string | undefined {
    const fitting = [...this.#open].flatMap(([key, open]) => {
      const response = responses.get(key);
      return response === undefined ? [] : [{ key, open, response }];
    });
    for (const { key, open, response } of fitting) {
      const problem = responseProblem(open.method, response);
      if (problem !== undefined) return `inputResponses[${JSON.stringify(key)}]: ${problem}`;
    }
    for (const { key, open, response } of fitting) {
      this.#open.delete(key);
      open.answer({ result: response });
    }
    return undefined;
  }

  /**
   * Attaches a request of the host: resolves with the outcome, or with all questions that are open then. Closing the
   * stream of the only attached request cancels the call.
   */
  attach(request: StatelessRequest, progress: Progress | undefined): Promise<Turn> {
    this.#facts = request.facts;
    if (this.#outcome) return Promise.resolve({ reply: this.#outcome });
    return new Promise((resolve, reject) => {
      const { signal } = request;
      const leave = (): void => {
        this.#attached.delete(request);
        reject(signal.reason);
        if (this.#attached.size === 0) this.cut(signal.reason);
        this.#park();
      };
      if (signal.aborted) {
        leave();
        return;
      }
      signal.addEventListener('abort', leave, { once: true });
      const attached = (turn: Turn): void => {
        signal.removeEventListener('abort', leave);
        resolve(turn);
      };
      this.#attached.set(request, { progress, resolve: attached });
      this.#park();
      if (this.#open.size > 0) this.#settle();
    });
  }

  #ask(method: string, params: JsonText | undefined, signal: AbortSignal, key?: string): Promise<Reply> {
    if (!this.waits && !this.#options.mayPark()) {
      const full = new McpxError(
        'limit',
        'as many calls wait for their hosts as limits.parkedCalls allows',
        'answer or cancel some of them, or raise limits.parkedCalls in mcpx.json',
      );
      this.cut(full);
      return Promise.reject(full);
    }
    this.#keys += 1;
    const name = key ?? `${this.id}-${this.#keys}`;
    return new Promise((resolve, reject) => {
      const withdraw = (): void => {
        this.#open.delete(name);
        reject(signal.reason);
      };
      signal.addEventListener('abort', withdraw, { once: true });
      const answer = (reply: Reply): void => {
        signal.removeEventListener('abort', withdraw);
        resolve(reply);
      };
      this.#open.set(name, { method, params, answer });
      this.#settle();
    });
  }

  /** Lets the questions that are ready together go out together. */
  #settle(): void {
    if (this.#settling) return;
    this.#settling = true;
    this.#options.after(SETTLE, () => {
      this.#settling = false;
      if (this.#open.size === 0 || this.#attached.size === 0) return;
      const asked = [...this.#open].map(([key, { method, params }]): Asked => [key, method, params]);
      const waiting = [...this.#attached.values()];
      this.#attached.clear();
      this.#park();
      for (const { resolve } of waiting) resolve({ asked });
    });
  }

  #park(): void {
    this.host.parked = this.waits;
  }
}

/** Why a response is none for a request of this method; undefined when it is one. */
export function responseProblem(method: string, response: JsonText): string | undefined {
  if (!isObject(response)) return 'is not an object';
  if (method !== 'elicitation/create') return undefined;
  const answer = readAnswer(response);
  return answer.ok ? undefined : answer.reason;
}
