// One request of a stateless host that an upstream may interrupt: run, asked about, sealed, resumed (ELI-14, ELI-17).

import { createHash } from 'node:crypto';
import { newCallId } from '../../broker/ids.ts';
import type { ServerConfig } from '../../config/types.ts';
import { isMcpxError, messageOf } from '../../errors.ts';
import type { StatelessRequest } from '../../host/types.ts';
import { entries, isObject, json, quote } from '../../protocol/json-text.ts';
import { errorReply, RPC } from '../../protocol/message.ts';
import { mayAsk } from '../../protocol/methods.ts';
import { isLegacy } from '../../protocol/revisions.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import type { RequestContext } from '../calls/call.ts';
import { ParkableCall } from '../calls/parkable-call.ts';
import type { ParkedCalls } from '../calls/parked-calls.ts';
import { type Progress, progressOf } from '../calls/progress.ts';
import { keepAlive } from '../questions/question.ts';
import { LoneRequester, levelOf, type Requester, silentSession } from '../requesters.ts';
import {
  failureReply,
  type RequestDeps,
  type RequestOutcome,
  serveRequest,
} from '../routing/serve-request.ts';
import { type Asked, QuestionsByRetry } from './questions-by-retry.ts';
import {
  inputRequired,
  type Round,
  type RoundOutcome,
  retryParams,
  type Sent,
  throughRounds,
} from './rounds.ts';
import {
  type Binding,
  type Refusal,
  type Sealed,
  type SealedQuestion,
  type Sealer,
  salientDigest,
} from './state-seal.ts';
import { askedOf, cancelRows, markDelivered, openRound, takeIn, waitForOthers } from './stored-round.ts';

export interface StatelessDeps extends RequestDeps {
  readonly parked: ParkedCalls;
  readonly sealer: Sealer;
  /** A digest of a server's configuration; undefined for a server that is not there. */
  readonly configDigest: (server: string) => string | undefined;
}

type SealedRound = Extract<Sealed, { kind: 'round' }>;

/** A live call on behalf of a stateless host, and what it waits for. */
interface LiveCall {
  readonly call: ParkableCall<readonly Asked[]>;
  readonly questions: QuestionsByRetry;
  /** Where it went, once that is known. */
  outcome: RequestOutcome | undefined;
}

/** The live calls of this process, found again by the call that a state names. */
export type LiveCalls = WeakMap<ParkableCall<unknown>, LiveCall>;

/** What a request came to: a reply of the upstream's, or one that is final whatever it says. */
interface StatelessSent extends Sent {
  readonly call: string;
  /** Tool or prompt name, or resource URI, as the server knows it. */
  readonly target: string | undefined;
}

/** Serves one request; the answer is final or `input_required`. */
export class StatelessCall {
  readonly #deps: StatelessDeps;
  readonly #live: LiveCalls;
  readonly #request: StatelessRequest;
  readonly #binding: Binding;
  /** The host as long as this request is open; nothing can be asked of it but by the answer to it. */
  readonly #host: Requester;
  /** One for the whole request, whatever is sent upstream meanwhile: a token's progress only grows. */
  readonly #progress: Progress | undefined;

  constructor(deps: StatelessDeps, live: LiveCalls, request: StatelessRequest) {
    const { method, params, facts, signal } = request;
    this.#deps = deps;
    this.#live = live;
    this.#request = request;
    this.#binding = { method, digest: salientDigest(params), principal: facts.principal };
    this.#host = new LoneRequester(silentSession(facts, signal));
    this.#progress = progressOf(facts, request);
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
    const first = brought.length === 0 ? params : retryParams(params, brought, undefined);
    return this.#throughRounds(0, first, (own) => this.#call(own, undefined, 0));
  }

  /** Sends `first` by `begin`, and goes through the rounds that follow. */
  #throughRounds(
    rounds: number,
    first: JsonText | undefined,
    begin: (params: JsonText | undefined) => Promise<StatelessSent>,
  ): Promise<Reply> {
    const { method, params, signal } = this.#request;
    return throughRounds<StatelessSent>({
      method,
      most: this.#deps.settings.limits.questionsPerRound,
      params,
      from: { params: first, rounds },
      clock: this.#deps.clock,
      signal,
      send: (own, before, count) =>
        before === undefined ? begin(own) : this.#call(own, before.server, count),
      ask: (round, sent, count) => this.#ask(round, sent, count),
    });
  }

  /** Makes a live call of the request; `pinned` is the only server that it may go to. */
  #call(params: JsonText | undefined, pinned: string | undefined, rounds: number): Promise<StatelessSent> {
    const { clock, channels, log } = this.#deps;
    const { facts, method } = this.#request;
    const id = newCallId();
    const ended = new AbortController();
    const questions = new QuestionsByRetry(clock, id, facts, ended.signal);
    const call = new ParkableCall({
      id,
      principal: facts.principal,
      parking: this.#deps.parked,
      interruptions: questions,
      request: { method, params, streams: true },
    });
    const host = new LoneRequester(questions.session, {
      isParked: () => call.parked,
      logLevel: levelOf(this.#request),
      flow: call.exchange.flow,
    });
    const context: RequestContext = {
      host,
      exchange: call.exchange,
      progress: call.progress,
      open: () => (call.awaited ? call.newest : undefined),
      ...(pinned !== undefined && { pinned }),
    };
    const live: LiveCall = { call, questions, outcome: undefined };
    const work = async (): Promise<Reply> => {
      try {
        live.outcome = await serveRequest(this.#deps, context);
        return live.outcome.reply;
      } finally {
        ended.abort('the call has ended');
        await channels.release(host, 'the call has ended');
      }
    };
    this.#deps.parked.add(call);
    this.#live.set(call, live);
    void call.run(work, (failure) => {
      if (isMcpxError(failure)) return failureReply(facts, failure);
      if (!call.exchange.signal.aborted)
        log.error({ call: id, error: messageOf(failure) }, 'a call failed inside mcpx');
      return errorReply(RPC.internal, messageOf(failure));
    });
    return this.#attach(live, rounds);
  }

  /** Waits for a live call: its outcome, or the questions that the host has to answer first. */
  async #attach(live: LiveCall, rounds: number): Promise<StatelessSent> {
    const { call, questions } = live;
    questions.facts = this.#request.facts;
    const interim = await call.attach(this.#request, this.#progress);
    if ('first' in interim) {
      this.#deps.parked.keep(call, this.#ttl);
      const state = this.#seal({ kind: 'parked', call: call.id }, rounds);
      const reply = { result: inputRequired(interim.first, state) };
      return { reply, server: undefined, call: call.id, target: undefined };
    }
    const { server, revision, target } = live.outcome ?? {};
    const isModern = revision !== undefined && !isLegacy(revision);
    return { reply: interim.reply, server: isModern ? server : undefined, call: call.id, target };
  }

  /** Opens the questions of a modern upstream's round: to the host what it can take, to the broker the rest. */
  async #ask(round: Round, sent: StatelessSent, rounds: number): Promise<RoundOutcome> {
    const { server = '', call, target } = sent;
    const { signal, method } = this.#request;
    const owner = { host: this.#host, server, call: { id: call, method, target } };
    const opened = await openRound(this.#deps, owner, round);
    if ('error' in opened) return { reply: opened };
    const { questions } = opened;
    const sealed: SealedRound = {
      kind: 'round',
      server,
      config: this.#deps.configDigest(server) ?? '',
      call,
      state: round.state,
      questions,
      answers: [],
    };
    try {
      signal.throwIfAborted();
      if (askedOf(questions).length > 0) return { reply: this.#askHost(sealed, questions, rounds) };
      return {
        answers: await this.#allAnswers(questions, new Map()),
        delivered: (received) => (received ? markDelivered(this.#deps, questions) : undefined),
      };
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
      const call = this.#deps.parked.get(sealed.call);
      const live = call && this.#live.get(call);
      if (live === undefined) return refused('unknown');
      const problem = live.questions.answers(responses);
      if (problem !== undefined) return errorReply(RPC.invalidParams, problem);
      return this.#throughRounds(round, undefined, () => this.#attach(live, round));
    }
    if (this.#deps.configDigest(sealed.server) !== sealed.config) return refused('mismatch');
    const taken = await takeIn(this.#deps, sealed.questions, sealed.answers, responses);
    if (typeof taken === 'string') return errorReply(RPC.invalidParams, taken);
    if (taken.missing.length > 0)
      return this.#askHost({ ...sealed, answers: [...taken.answers] }, taken.missing, round);
    const { questions, server } = sealed;
    const all = await this.#allAnswers(questions, taken.answers);
    const first = retryParams(this.#request.params, all, sealed.state);
    return this.#throughRounds(round + 1, first, async (params) => {
      const sent = await this.#call(params, server, round + 1);
      if (sent.server !== undefined) await markDelivered(this.#deps, questions);
      return sent;
    });
  }

  /** The answers of a whole round; what the broker keeps is waited for on the host's open request. */
  async #allAnswers(
    questions: readonly SealedQuestion[],
    answers: ReadonlyMap<string, JsonText>,
  ): Promise<ReadonlyMap<string, JsonText>> {
    const { signal } = this.#request;
    const stop = keepAlive(this.#deps.clock, this.#progress, signal);
    return await waitForOthers(this.#deps, questions, answers, signal).finally(stop);
  }

  get #ttl(): number {
    return this.#deps.settings.elicit.ttl;
  }

  #seal(sealed: Sealed, rounds: number): string {
    return this.#deps.sealer.seal(this.#binding, sealed, rounds, this.#ttl);
  }
}

function refused(why: Refusal): Reply {
  return errorReply(RPC.invalidParams, `requestState was refused: ${why}`, json`{"reason":${quote(why)}}`);
}

/** Serves the requests of all stateless hosts. */
export class Stateless {
  readonly #deps: StatelessDeps;
  readonly #live: LiveCalls = new WeakMap();

  constructor(deps: StatelessDeps) {
    this.#deps = deps;
  }

  /** Resolves with a final result or an `input_required` one; every failure is an error reply. */
  async serve(request: StatelessRequest): Promise<Reply> {
    try {
      if (!mayAsk(request.method)) return await this.#plain(request);
      return await new StatelessCall(this.#deps, this.#live, request).reply();
    } catch (error) {
      if (isMcpxError(error)) return failureReply(request.facts, error);
      if (!request.signal.aborted)
        this.#deps.log.error(
          { method: request.method, error: messageOf(error) },
          'a request failed inside mcpx',
        );
      return errorReply(RPC.internal, 'Something went wrong inside mcpx.');
    }
  }

  /** A request that no upstream may interrupt: the session it seems to have lasts as long as it does. */
  async #plain(request: StatelessRequest): Promise<Reply> {
    const ending = new AbortController();
    const host = new LoneRequester(silentSession(request.facts, ending.signal), {
      logLevel: levelOf(request),
      flow: request.flow,
    });
    try {
      const progress = progressOf(request.facts, request);
      return (await serveRequest(this.#deps, { host, exchange: request, progress, open: () => request }))
        .reply;
    } finally {
      ending.abort('the request has ended');
      await this.#deps.channels.release(host, 'the request has ended');
    }
  }
}

/** A digest of all that makes a server the server it is; its name stands in the state beside it. */
export function configDigest(config: ServerConfig | undefined): string | undefined {
  if (!config) return undefined;
  return createHash('sha256').update(JSON.stringify(config)).digest('hex');
}
