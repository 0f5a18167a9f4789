// One request of a stateless host that an upstream may interrupt: run, asked about, sealed, resumed (ELI-14, ELI-17).
import { messageOf } from '../../errors.ts';
import type { StatelessRequest } from '../../host/types.ts';
import { entries, isObject } from '../../protocol/json-text.ts';
import { errorReply, RPC } from '../../protocol/message.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import { HostState } from '../host-state.ts';
import { type Progress, progressOf } from '../progress.ts';
import { keepAlive } from '../question.ts';
import { type RequestDeps, serveRequest } from '../requests.ts';
import { ParkedCall, type Turn } from './parked-call.ts';
import type { ParkedCalls } from './parked-calls.ts';
import { inputRequired, type Round, readRound, retryParams } from './round.ts';
import { MOST_ROUNDS, tooMany, wait } from './rounds.ts';
import type { Binding, Refusal, Sealed, SealedQuestion, Sealer } from './seal.ts';
import { salientDigest } from './seal.ts';
import { askedOf, cancelRows, markDelivered, openRound, takeIn, waitForOthers } from './sealed-round.ts';
import { levelOf, sessionOf } from './stateless-host.ts';

/** Milliseconds before a round that only carries state is sent on; doubles with each up to the second. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;

export interface StatelessDeps extends RequestDeps {
  readonly sealer: Sealer;
  /** A digest of a server's configuration; undefined for a server that is not there. */
  readonly configDigest: (server: string) => string | undefined;
}

type SealedRound = Extract<Sealed, { kind: 'round' }>;

/** What is sent to an upstream: the host's own request, or a retry of it with a round's answers. */
interface Sending {
  readonly params: JsonText | undefined;
  /** Rounds gone through before. */
  readonly rounds: number;
  /** The server whose round it answers. */
  readonly pinned?: string;
  /** The questions whose answers it carries. */
  readonly questions?: readonly SealedQuestion[];
}

/** Serves one request; the answer is final or `input_required`. */
export class StatelessCall {
  readonly #deps: StatelessDeps;
  readonly #parked: ParkedCalls;
  readonly #request: StatelessRequest;
  readonly #binding: Binding;
  /** The host as long as this request is open; nothing can be asked of it but by the answer to it. */
  readonly #host: HostState;
  /** One for the whole request, whatever is sent upstream meanwhile: a token's progress only grows. */
  readonly #progress: Progress | undefined;

  constructor(deps: StatelessDeps, parked: ParkedCalls, request: StatelessRequest) {
    const { method, params, facts, signal } = request;
    this.#deps = deps;
    this.#parked = parked;
    this.#request = request;
    this.#binding = { method, digest: salientDigest(params), principal: facts.principal };
    this.#host = new HostState(sessionOf(facts, signal), true);
    this.#progress = progressOf(this.#host, request);
  }

  /** Rejects with the reason of the request's signal, or with a McpxError. */
  reply(): Promise<Reply> {
    const { requestState } = this.#request;
    return requestState === undefined ? this.#begin() : this.#resume(requestState);
  }

  /**
   * A request that is no retry of mcpx's. Answers it brings all the same are the upstream's to take or to leave: one that
   * keeps no state between rounds knows them by their keys.
   */
  async #begin(): Promise<Reply> {
    const { params, inputResponses } = this.#request;
    const brought = inputResponses === undefined ? [] : entries(inputResponses);
    for (const [key, response] of brought)
      if (!isObject(response))
        return errorReply(RPC.invalidParams, `inputResponses[${JSON.stringify(key)}]: is not an object`);
    return this.#run({
      params: brought.length === 0 ? params : retryParams(params, brought, undefined),
      rounds: 0,
    });
  }

  async #run({ params, rounds, pinned, questions = [] }: Sending): Promise<Reply> {
    const { clock, lines, log } = this.#deps;
    const call = new ParkedCall({
      facts: this.#request.facts,
      method: this.#request.method,
      params,
      mayPark: () => this.#parked.mayPark(),
      after: (ms, fire) => void clock.after(ms, fire),
    });
    call.host.logLevel = levelOf(this.#request);
    call.host.pinned = pinned;
    this.#parked.add(call);
    const running = call.run(async () => {
      try {
        return await serveRequest(this.#deps, call.host, call.exchange);
      } catch (error) {
        return errorReply(RPC.internal, messageOf(error));
      } finally {
        if (call.host.heard) await markDelivered(this.#deps, questions);
        await lines.release(call.host, 'the call has ended');
      }
    });
    running
      .catch((error) => log.error({ call: call.id, error: messageOf(error) }, 'a call failed inside mcpx'))
      .finally(() => this.#parked.finished(call));
    return this.#turn(call, await call.attach(this.#request, this.#progress), rounds);
  }

  async #turn(call: ParkedCall, turn: Turn, rounds: number): Promise<Reply> {
    if ('asked' in turn) {
      this.#parked.keep(call, this.#ttl);
      return { result: inputRequired(turn.asked, this.#seal({ kind: 'parked', call: call.id }, rounds)) };
    }
    const { reply } = turn;
    const { target } = call.host;
    if ('error' in reply || !target?.modern) return reply;
    const round = readRound(this.#request.method, reply.result, this.#deps.settings.limits.questionsPerRound);
    if (round === undefined || typeof round === 'string') return reply;
    if (rounds >= MOST_ROUNDS) throw tooMany(target.server);
    if (round.requests.length > 0) return this.#ask(call, target, round, rounds);
    const pause = Math.min(FIRST_PAUSE * 2 ** rounds, LONGEST_PAUSE);
    await wait(this.#deps.clock, pause, this.#request.signal);
    const params = retryParams(this.#request.params, [], round.state);
    return this.#run({ params, rounds: rounds + 1, pinned: target.server });
  }

  /** Opens the questions of a modern upstream's round: to the host what it can take, to the broker the rest. */
  async #ask(
    call: ParkedCall,
    { server, name }: { readonly server: string; readonly name: string | undefined },
    round: Round,
    rounds: number,
  ): Promise<Reply> {
    const { signal, method } = this.#request;
    const owner = { host: this.#host, server, call: { id: call.id, method, target: name } };
    const opened = await openRound(this.#deps, owner, round);
    if ('error' in opened) return opened;
    const { questions } = opened;
    const sealed: SealedRound = {
      kind: 'round',
      server,
      config: this.#deps.configDigest(server) ?? '',
      call: call.id,
      state: round.state,
      questions,
      answers: [],
    };
    try {
      signal.throwIfAborted();
      if (askedOf(questions).length > 0) return this.#askHost(sealed, questions, rounds);
      return await this.#sendOn(sealed, new Map(), rounds);
    } catch (error) {
      // The host was given no state: with its request the questions end, since nobody can come back for them.
      if (signal.aborted) await cancelRows(this.#deps, questions, messageOf(signal.reason));
      throw error;
    }
  }

  #askHost(sealed: SealedRound, questions: readonly SealedQuestion[], rounds: number): Reply {
    return { result: inputRequired(askedOf(questions), this.#seal(sealed, rounds)) };
  }

  /** A retry: the state says where it belongs, or why it belongs nowhere; then nothing runs. */
  async #resume(state: string): Promise<Reply> {
    const opened = this.#deps.sealer.open(state, this.#binding);
    if (typeof opened === 'string') return refused(opened);
    const { sealed, round } = opened;
    const { inputResponses } = this.#request;
    const responses = new Map(inputResponses === undefined ? [] : entries(inputResponses));
    if (sealed.kind === 'parked') {
      const call = this.#parked.get(sealed.call);
      if (!call) return refused('unknown');
      const problem = call.answers(responses);
      if (problem !== undefined) return errorReply(RPC.invalidParams, problem);
      return this.#turn(call, await call.attach(this.#request, this.#progress), round);
    }
    if (this.#deps.configDigest(sealed.server) !== sealed.config) return refused('mismatch');
    const taken = await takeIn(this.#deps, sealed.questions, sealed.answers, responses);
    if (typeof taken === 'string') return errorReply(RPC.invalidParams, taken);
    if (taken.missing.length > 0)
      return this.#askHost({ ...sealed, answers: [...taken.answers] }, taken.missing, round);
    return this.#sendOn(sealed, taken.answers, round);
  }

  /** Sends a round on once it is whole; what the broker keeps is waited for on the host's open request. */
  async #sendOn(sealed: SealedRound, answers: ReadonlyMap<string, JsonText>, rounds: number): Promise<Reply> {
    const { questions, server, state } = sealed;
    const { signal, params } = this.#request;
    const stop = keepAlive(this.#deps.clock, { over: signal, progress: this.#progress });
    const all = await waitForOthers(this.#deps, questions, answers, signal).finally(stop);
    return this.#run({
      params: retryParams(params, all, state),
      rounds: rounds + 1,
      pinned: server,
      questions,
    });
  }

  get #ttl(): number {
    return this.#deps.settings.elicit.ttl;
  }

  #seal(sealed: Sealed, rounds: number): string {
    return this.#deps.sealer.seal(this.#binding, sealed, rounds, this.#ttl);
  }
}

function refused(why: Refusal): Reply {
  return errorReply(RPC.invalidParams, `requestState was refused: ${why}`, `{"reason":"${why}"}`);
}
