// Questions to a stateless host: each is kept until a request of the host can carry it, and is answered by the next (ELI-14).
import type { Clock, Timer } from '../../clock.ts';
import type { HostFacts, HostSession } from '../../host/types.ts';
import { readAnswer } from '../../protocol/elicitation.ts';
import { isObject } from '../../protocol/json-text.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import type { Interruptions } from '../calls/parkable-call.ts';

/** Milliseconds after the first question in which others join it (docs/relay.md, "2026-07-28"). */
const SETTLE = 10;

/** What the host is asked, under the key it answers by. */
export type Asked = readonly [key: string, method: string, params: JsonText | undefined];

interface Open {
  readonly method: string;
  readonly params: JsonText | undefined;
  answer(reply: Reply): void;
}

/** The open questions of one call, and the session that the relay sees in the host's place: asking it keeps a question. */
export class QuestionsByRetry implements Interruptions<readonly Asked[]> {
  readonly session: HostSession;
  /** As the newest request has them: a host declares what it can with each. */
  facts: HostFacts;
  readonly #clock: Clock;
  readonly #open = new Map<string, Open>();
  #onAsked: (() => void) | undefined;
  #keys = 0;

  /** `ended` aborts once nobody can be asked any more. */
  constructor(clock: Clock, id: string, facts: HostFacts, ended: AbortSignal) {
    this.#clock = clock;
    this.facts = facts;
    const current = (): HostFacts => this.facts;
    this.session = {
      id,
      get facts() {
        return current();
      },
      ended,
      request: (method, params, { signal, key }) => {
        this.#keys += 1;
        return this.#ask(key ?? `${id}-${this.#keys}`, method, params, signal);
      },
      reachable: () => !ended.aborted,
      notify: () => {},
    };
  }

  /** Questions that are ready together go out together. */
  next(signal: AbortSignal): Promise<readonly Asked[]> {
    return new Promise((resolve, reject) => {
      let timer: Timer | undefined;
      const settle = (): void => {
        if (this.#open.size > 0) timer ??= this.#clock.after(SETTLE, tell);
      };
      const tell = (): void => {
        timer = undefined;
        // All of them may have been taken back meanwhile.
        if (this.#open.size === 0) return;
        end();
        resolve([...this.#open].map(([key, { method, params }]): Asked => [key, method, params]));
      };
      const stop = (): void => {
        end();
        reject(signal.reason);
      };
      const end = (): void => {
        timer?.cancel();
        this.#onAsked = undefined;
        signal.removeEventListener('abort', stop);
      };
      signal.addEventListener('abort', stop, { once: true });
      this.#onAsked = settle;
      settle();
    });
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

  #ask(key: string, method: string, params: JsonText | undefined, signal: AbortSignal): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const withdraw = (): void => {
        this.#open.delete(key);
        reject(signal.reason);
      };
      signal.addEventListener('abort', withdraw, { once: true });
      const answer = (reply: Reply): void => {
        signal.removeEventListener('abort', withdraw);
        resolve(reply);
      };
      this.#open.set(key, { method, params, answer });
      this.#onAsked?.();
    });
  }
}

/** Why a response is none for a request of this method; undefined when it is one. */
export function responseProblem(method: string, response: JsonText): string | undefined {
  if (!isObject(response)) return 'is not an object';
  if (method !== 'elicitation/create') return undefined;
  const answer = readAnswer(response);
  return answer.ok ? undefined : answer.reason;
}
