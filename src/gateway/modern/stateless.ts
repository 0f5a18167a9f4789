// Requests of stateless hosts (2026-07-28): each stands alone, and what must survive until the next is sealed into it.
import { createHash } from 'node:crypto';
import type { ServerConfig } from '../../config/types.ts';
import { isMcpxError, McpxError, messageOf } from '../../errors.ts';
import type { HostFacts, HostSession, StatelessRequest } from '../../host/types.ts';
import { entries, isObject } from '../../protocol/json-text.ts';
import { errorReply, RPC } from '../../protocol/message.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import { HostState } from '../host-state.ts';
import { type RequestDeps, serveRequest } from '../requests.ts';
import { ParkedCall, type Turn } from './parked-call.ts';
import { ParkedCalls } from './parked-calls.ts';
import { INTERRUPTIBLE, inputRequired, type Round, readRound, retryParams } from './round.ts';
import { MOST_ROUNDS, tooMany, wait } from './rounds.ts';
import type { Binding, Refusal, Sealed, SealedQuestion, Sealer } from './seal.ts';
import { salientDigest } from './seal.ts';
import { askedOf, markDelivered, openRound, takeIn, waitForOthers } from './sealed-round.ts';

/** Milliseconds before a round that only carries state is sent on; doubles with each up to the second. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;

export interface StatelessDeps extends RequestDeps {
  readonly sealer: Sealer;
  /** A digest of a server's configuration; undefined for a server that is not there. */
  readonly configDigest: (server: string) => string | undefined;
}

type SealedRound = Extract<Sealed, { kind: 'round' }>;

/** Serves the requests of all stateless hosts. */
export class Stateless {
  readonly #deps: StatelessDeps;
  readonly #parked: ParkedCalls;

  constructor(deps: StatelessDeps) {
    this.#deps = deps;
    this.#parked = new ParkedCalls(deps.settings.limits.parkedCalls, deps.clock);
  }

  /** Resolves with a final result or an `input_required` one; every failure is an error reply. */
  async serve(request: StatelessRequest): Promise<Reply> {
    try {
      if (!INTERRUPTIBLE.has(request.method)) return await this.#plain(request);
      if (request.requestState === undefined) return await this.#begin(request);
      return await this.#resume(request, request.requestState);
    } catch (error) {
      if (!isMcpxError(error) && !request.signal.aborted)
        this.#deps.log.error(
          { method: request.method, error: messageOf(error) },
          'a request failed inside mcpx',
        );
      return errorReply(
        RPC.internal,
        isMcpxError(error) ? messageOf(error) : 'Something went wrong inside mcpx.',
      );
    }
  }

  /** Gives every live call up. */
  close(reason: string): void {
    this.#parked.cutAll(new McpxError('failure', reason));
  }

  /**
   * A request that is no retry of mcpx's. Answers it brings all the same are the upstream's to take or to leave: one that
   * keeps no state between rounds knows them by their keys.
   */
  async #begin(request: StatelessRequest): Promise<Reply> {
    const brought = request.inputResponses === undefined ? [] : entries(request.inputResponses);
    for (const [key, response] of brought)
      if (!isObject(response))
        return errorReply(RPC.invalidParams, `inputResponses[${JSON.stringify(key)}]: is not an object`);
    const params = brought.length === 0 ? request.params : retryParams(request.params, brought, undefined);
    return this.#run(request, params, 0);
  }

  /** A request that no upstream may interrupt: the session it seems to have lasts as long as it does. */
  async #plain(request: StatelessRequest): Promise<Reply> {
    const over = new AbortController();
    const host = new HostState(sessionOf(request.facts, over.signal), true);
    host.logLevel = levelOf(request);
    try {
      return await serveRequest(this.#deps, host, request);
    } finally {
      over.abort('the request has ended');
      await this.#deps.lines.release(host, 'the request has ended');
    }
  }

  async #run(request: StatelessRequest, params: JsonText | undefined, rounds: number): Promise<Reply> {
    const { clock, lines, log } = this.#deps;
    const call = new ParkedCall({
      facts: request.facts,
      method: request.method,
      params,
      mayPark: () => this.#parked.mayPark(),
      after: (ms, fire) => void clock.after(ms, fire),
    });
    call.host.logLevel = levelOf(request);
    this.#parked.add(call);
    const running = call.run(async () => {
      try {
        return await serveRequest(this.#deps, call.host, call.exchange);
      } catch (error) {
        return errorReply(RPC.internal, messageOf(error));
      } finally {
        await lines.release(call.host, 'the call has ended');
      }
    });
    running
      .catch((error) => log.error({ call: call.id, error: messageOf(error) }, 'a call failed inside mcpx'))
      .finally(() => this.#parked.finished(call));
    return this.#turn(request, call, await call.attach(request), rounds);
  }

  async #turn(request: StatelessRequest, call: ParkedCall, turn: Turn, rounds: number): Promise<Reply> {
    if ('asked' in turn) {
      this.#parked.keep(call, this.#ttl);
      const state = this.#seal(request, { kind: 'parked', call: call.id }, rounds);
      return { result: inputRequired(turn.asked, state) };
    }
    const { reply } = turn;
    const { target } = call.host;
    if ('error' in reply || !target) return reply;
    const round = readRound(request.method, reply.result);
    if (round === undefined) return reply;
    if (typeof round === 'string') throw new McpxError('upstream', `${target.server}: ${round}`);
    if (rounds >= MOST_ROUNDS) throw tooMany(target.server);
    if (round.requests.length > 0) return this.#ask(request, call, target, round, rounds);
    await wait(this.#deps.clock, Math.min(FIRST_PAUSE * 2 ** rounds, LONGEST_PAUSE), request.signal);
    return this.#run(request, retryParams(request.params, [], round.state), rounds + 1);
  }

  /** Opens the questions of a modern upstream's round: to the host what it can take, to the broker the rest. */
  async #ask(
    request: StatelessRequest,
    call: ParkedCall,
    target: { readonly server: string; readonly name: string | undefined },
    round: Round,
    rounds: number,
  ): Promise<Reply> {
    const { server, name } = target;
    const owner = { host: call.host, server, call: { id: call.id, method: request.method, target: name } };
    const opened = await openRound(this.#deps, owner, round);
    if ('error' in opened) return opened;
    const sealed: SealedRound = {
      kind: 'round',
      server,
      config: this.#deps.configDigest(server) ?? '',
      call: call.id,
      state: round.state,
      questions: opened.questions,
      answers: [],
    };
    if (askedOf(opened.questions).length === 0) return this.#sendOn(request, sealed, new Map(), rounds);
    return this.#askHost(request, sealed, opened.questions, rounds);
  }

  #askHost(
    request: StatelessRequest,
    sealed: SealedRound,
    questions: readonly SealedQuestion[],
    rounds: number,
  ): Reply {
    return { result: inputRequired(askedOf(questions), this.#seal(request, sealed, rounds)) };
  }

  /** A retry: the state says where it belongs, or why it belongs nowhere; then nothing runs. */
  async #resume(request: StatelessRequest, state: string): Promise<Reply> {
    const opened = this.#deps.sealer.open(state, bindingOf(request));
    if (typeof opened === 'string') return refused(opened);
    const { sealed, round } = opened;
    const responses = new Map(request.inputResponses === undefined ? [] : entries(request.inputResponses));
    if (sealed.kind === 'parked') {
      const call = this.#parked.get(sealed.call);
      if (!call) return refused('unknown');
      const problem = call.answers(responses);
      if (problem !== undefined) return errorReply(RPC.invalidParams, problem);
      return this.#turn(request, call, await call.attach(request), round);
    }
    if (this.#deps.configDigest(sealed.server) !== sealed.config) return refused('mismatch');
    const taken = await takeIn(this.#deps, sealed.questions, sealed.answers, responses);
    if (typeof taken === 'string') return errorReply(RPC.invalidParams, taken);
    if (taken.missing.length > 0)
      return this.#askHost(request, { ...sealed, answers: [...taken.answers] }, taken.missing, round);
    return this.#sendOn(request, sealed, taken.answers, round);
  }

  /** Sends a round on once it is whole; what the broker keeps is waited for on the host's open request. */
  async #sendOn(
    request: StatelessRequest,
    sealed: SealedRound,
    answers: ReadonlyMap<string, JsonText>,
    rounds: number,
  ): Promise<Reply> {
    const all = await waitForOthers(this.#deps, sealed.questions, answers, request.signal);
    const reply = await this.#run(request, retryParams(request.params, all, sealed.state), rounds + 1);
    await markDelivered(this.#deps, sealed.questions);
    return reply;
  }

  get #ttl(): number {
    return this.#deps.settings.elicit.ttl;
  }

  #seal(request: StatelessRequest, sealed: Sealed, rounds: number): string {
    return this.#deps.sealer.seal(bindingOf(request), sealed, rounds, this.#ttl);
  }
}

function bindingOf({ method, params, facts }: StatelessRequest): Binding {
  return { method, digest: salientDigest(params), principal: facts.principal };
}

function refused(why: Refusal): Reply {
  return errorReply(RPC.invalidParams, `requestState was refused: ${why}`, `{"reason":"${why}"}`);
}

function levelOf({ logLevel }: StatelessRequest): JsonText | undefined {
  return logLevel === undefined ? undefined : JSON.stringify({ level: logLevel });
}

/** A digest of all that makes a server the server it is; its name stands in the state beside it. */
export function configDigest(config: ServerConfig | undefined): string | undefined {
  if (!config) return undefined;
  return createHash('sha256').update(JSON.stringify(config)).digest('hex');
}

/** A session for one request: nobody can be asked through it. */
export function sessionOf(facts: HostFacts, ended: AbortSignal): HostSession {
  return {
    id: 'stateless',
    facts,
    ended,
    request: () => Promise.reject(new McpxError('unreachable', 'this request cannot be interrupted')),
    reachable: () => false,
    notify: () => {},
  };
}
