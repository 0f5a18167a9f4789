// A modern upstream's rounds, gone through to its final reply: ask, collect, send again (2026-07-28, "Multi Round-Trip Requests").
// This folder: in comes a request that ends only after rounds of questions and answers, out goes its final or interim result.
import type { Clock } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import { Backoff, turnFor, wait } from '../../waiting.ts';
import { type Round, readRound, retryParams } from './round.ts';

/** More rounds than any honest tool needs; then the call fails and its rows close (docs/relay.md, "Rounds of a modern server"). */
const MOST_ROUNDS = 10;
/** Milliseconds before a round that only carries state is sent on; doubles up to the second. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;

/** What a request came to. */
export interface Sent {
  readonly reply: Reply;
  /** The server that replied; undefined where the reply is none of an upstream that asks by rounds, and so is final. */
  readonly server: string | undefined;
}

/** What a round's questions came to: the answers to send on, or the reply with which the request ends here. */
export type RoundOutcome =
  | {
      readonly answers: Iterable<readonly [key: string, response: JsonText]>;
      /** Called once it is known whether the upstream has the answers. */
      readonly delivered: (received: boolean) => void | Promise<void>;
    }
  | { readonly reply: Reply };

export interface RoundsOptions<S extends Sent> {
  readonly method: string;
  /** `limits.questionsPerRound`. */
  readonly most: number;
  /** The params of the request itself; a retry changes nothing in them but answers and state (C11). */
  readonly params: JsonText | undefined;
  /** Where a retry of the host goes on: the params to send first, and how many rounds came before. */
  readonly from?: { readonly params: JsonText | undefined; readonly rounds: number };
  readonly clock: Clock;
  /** Gives the whole up. */
  readonly signal: AbortSignal;
  /** Sends one request; `before` is what the last one came to, `rounds` how many came before it. */
  readonly send: (params: JsonText | undefined, before: S | undefined, rounds: number) => Promise<S>;
  /** Asks what a round asks; `rounds` is how many came before it. */
  readonly ask: (round: Round, sent: S, rounds: number) => Promise<RoundOutcome>;
}

/**
 * Resolves with the upstream's final reply, or with the one that `ask` gave in place of answers. Rejects with what
 * `send` and `ask` reject with, with the reason of `signal`, or with McpxError `upstream` for an interim result that
 * breaks the protocol and for a tool that never comes to an end.
 */
export async function throughRounds<S extends Sent>(options: RoundsOptions<S>): Promise<Reply> {
  const { method, params, most, from, clock, signal, send, ask } = options;
  const backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
  let next = from?.params ?? params;
  let sent: S | undefined;
  let delivered: (received: boolean) => void | Promise<void> = () => {};
  for (let rounds = from?.rounds ?? 0; ; rounds += 1) {
    try {
      sent = await send(next, sent, rounds);
    } catch (error) {
      await delivered(false);
      throw error;
    }
    const { reply, server } = sent;
    // An upstream that has replied has the answers that the request carried.
    await delivered(server !== undefined);
    if (server === undefined || 'error' in reply) return reply;
    await turnFor(reply.result);
    const round = readRound(method, reply.result, most);
    if (round === undefined) return reply;
    if (typeof round === 'string') throw new McpxError('upstream', `${server}: ${round}`);
    if (rounds >= MOST_ROUNDS)
      throw new McpxError(
        'upstream',
        `${server} still asked after ${MOST_ROUNDS} rounds; the call was given up`,
      );
    if (round.requests.length === 0) {
      await wait(clock, backoff.next(), signal);
      next = retryParams(params, [], round.state);
      delivered = () => {};
      continue;
    }
    backoff.reset();
    const outcome = await ask(round, sent, rounds);
    if ('reply' in outcome) return outcome.reply;
    next = retryParams(params, outcome.answers, round.state);
    delivered = outcome.delivered;
  }
}
