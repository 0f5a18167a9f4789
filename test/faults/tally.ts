// What the fault runs count, and its print at the end: all of it must be 0.
import type { Row } from '../../src/broker/types.ts';
import type { FixtureUpstream } from '../support/upstream.ts';

export interface Tally {
  readonly runs: number;
  /** Said to be delivered, or held by processes that all lived on, and the server never got it. */
  readonly lost: readonly string[];
  /** The server got more than one response to one question. */
  readonly twice: readonly string[];
  /** A state, an answer or a time on a row that is not what happened. */
  readonly wrong: readonly string[];
}

/** The responses that the server got to its question with this JSON-RPC id. */
export function responsesTo(upstream: FixtureUpstream, id: string): string[] {
  return upstream
    .messages()
    .filter((message) => message['id'] === id && message['method'] === undefined)
    .map((message) => JSON.stringify(message['result'] ?? message['error']));
}

export class Tallying {
  #runs = 0;
  readonly #lost: string[] = [];
  readonly #twice: string[] = [];
  readonly #wrong: string[] = [];

  get tally(): Tally {
    return { runs: this.#runs, lost: this.#lost, twice: this.#twice, wrong: this.#wrong };
  }

  /**
   * Counts one question: its row as it is in the end, what the server got, and which states are right. `survived`
   * says that nothing stood between an accepted row and the server.
   */
  count(
    what: string,
    row: Row,
    responses: readonly string[],
    right: { readonly states: readonly Row['state'][]; readonly survived: boolean },
  ): void {
    this.#runs += 1;
    const note = `${what}: ${row.state}, delivered ${row.deliveredAt ?? 'never'}, the server got ${responses.join(' and ') || 'nothing'}`;
    const answered = row.state === 'accepted' || row.state === 'declined' || row.state === 'cancelled';
    if (responses.length > 1) this.#twice.push(note);
    if (responses.length === 0 && (row.deliveredAt !== undefined || (answered && right.survived)))
      this.#lost.push(note);
    if (!right.states.includes(row.state) || !agrees(row, responses)) this.#wrong.push(note);
  }

  report(): string {
    const { runs, lost, twice, wrong } = this.tally;
    const details = [...lost, ...twice, ...wrong].map((line) => `\n  ${line}`).join('');
    return `${runs} questions: answers lost ${lost.length}, answers delivered twice ${twice.length}, rows left wrong ${wrong.length}${details}`;
  }
}

/** What the server got is what the row says, and nobody accepted what is not accepted. */
function agrees({ state, answer }: Row, responses: readonly string[]): boolean {
  if (state === 'pending') return responses.length === 0 && answer === undefined;
  if (state === 'lost' && answer !== undefined) return false;
  return responses.every((text) => {
    const got = JSON.parse(text) as { action?: string; content?: unknown };
    if (state !== 'accepted') return got.action !== 'accept';
    return (
      got.action === 'accept' &&
      JSON.stringify(got.content) === JSON.stringify(JSON.parse(answer?.content ?? 'null'))
    );
  });
}
