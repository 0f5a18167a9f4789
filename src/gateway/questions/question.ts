// One question of an upstream, from its arrival to the answer that goes back: a row first, then whoever can answer.
// This folder: in comes what a server asks, out goes exactly one reply to it, by whoever answers first.
import type { Broker, Row } from '../../broker/types.ts';
import type { Clock } from '../../clock.ts';
import type { Settings } from '../../config/types.ts';
import { McpxError, messageOf } from '../../errors.ts';
import type { FormChecks } from '../../form/checks.ts';
import type { Log } from '../../log.ts';
import { answerText, readAnswer } from '../../protocol/elicitation.ts';
import { errorReply, RPC } from '../../protocol/message.ts';
import { spellQuestion } from '../../protocol/question/spell-question.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import { AskerGone } from '../../upstream/questions.ts';
import type { UpstreamRequest } from '../../upstream/types.ts';
import type { ProgressSink } from '../calls/progress.ts';
import { type Attribution, attribute, type Channel } from '../channels/channel.ts';
import type { QuestionQuota, Refusals } from './question-quota.ts';
import { QuestionUrl } from './question-url.ts';
import {
  type Asker,
  canBeShown,
  isOpenable,
  type ReadQuestion,
  type RuledAnswer,
  type Ruling,
  readQuestion,
  recordQuestion,
  ruleFacts,
  rulingOn,
} from './read-question.ts';

export interface QuestionDeps {
  readonly broker: Broker;
  readonly settings: Settings;
  /** Runs what servers wrote where it holds up nobody. */
  readonly checks: FormChecks;
  /** Counted over all questions of the gateway. */
  readonly quota: QuestionQuota;
  readonly refusals: Refusals;
  readonly clock: Clock;
  readonly log: Log;
}

/** Why a host's dialog is withdrawn; one value, since a DOMException for each would cost more than the rest. */
const CLOSED = 'the question is closed';
/** How often a host that gave a `progressToken` hears that its call lives while a question is open (ms). */
const KEEP_ALIVE = 15_000;

/** Whoever asks and is replied to once: an upstream's request, or an entry of its -32042. */
export interface Asking extends Pick<UpstreamRequest, 'params' | 'origin' | 'signal'> {
  /** As `UpstreamRequest.reply`; `row` is there when the reply is the outcome of a row. */
  reply(reply: Reply, row?: Row): Promise<boolean>;
}

/**
 * Carries one `elicitation/create` of an upstream (ELI-01): a row in the broker before anything else, then the host
 * inline where it can take it, and everybody else at the same time; the first answer wins, the other dialog is
 * withdrawn, and the upstream gets exactly one reply. Never throws.
 */
export function carryQuestion(deps: QuestionDeps, channel: Channel, request: Asking): Promise<void> {
  return channel.track(carried(deps, channel, request));
}

async function carried(deps: QuestionDeps, channel: Channel, request: Asking): Promise<void> {
  const owner = attribute(channel, request.origin);
  // The timers stop at once: recording the row may already take a moment (C21).
  const release = channel.pauseTimeouts(owner.call);
  const stopKeepAlive = keepAlive(deps.clock, owner.call?.context.progress, owner.call?.ended);
  // They run again before the outcome goes out, since from then on the upstream is at work.
  const goOn = (): void => {
    stopKeepAlive();
    release();
  };
  try {
    await new Question(deps, channel, request, owner, goOn).carry();
  } catch (error) {
    deps.log.error({ server: channel.server, error: messageOf(error) }, 'a question could not be carried');
    goOn();
    await request.reply(errorReply(RPC.internal, `mcpx could not carry the question: ${messageOf(error)}`));
  } finally {
    goOn();
  }
}

class Question {
  readonly #deps: QuestionDeps;
  readonly #channel: Channel;
  readonly #request: Asking;
  readonly #owner: Attribution;
  readonly #goOn: () => void;
  /** Aborting it withdraws the host's dialog. */
  readonly #dialog = new AbortController();
  #url: QuestionUrl | undefined;
  /** Until when the question may live; milliseconds, by the monotonic clock. */
  #expiresAt = 0;
  #ruling: Ruling = { audience: 'human', host: true, others: true };
  /** Gives back the place among the questions that wait for people. */
  #place: (() => void) | undefined;
  /** The same among those of its call that the host is asked. */
  #inlinePlace: (() => void) | undefined;
  /** What the upstream gets in place of the row's outcome: a host's own error, where nobody else may answer. */
  #instead: Reply | undefined;
  /** Rejects when the row's end could not be committed: nothing may go upstream as an answer then. */
  readonly #broken: Promise<never>;
  #break: (error: unknown) => void = () => {};

  constructor(deps: QuestionDeps, channel: Channel, request: Asking, owner: Attribution, goOn: () => void) {
    this.#deps = deps;
    this.#channel = channel;
    this.#request = request;
    this.#owner = owner;
    this.#goOn = goOn;
    this.#broken = new Promise((_, reject) => {
      this.#break = reject;
    });
    this.#broken.catch(() => {});
  }

  async carry(): Promise<void> {
    const { settings, checks } = this.#deps;
    const { server, info } = this.#channel;
    const read = await readQuestion(this.#deps, server, this.#request.params, info?.revision);
    if (typeof read === 'string') return this.#refuse(read);
    const asker = { server, ...this.#owner };
    this.#ruling = await rulingOn(settings, ruleFacts(asker, read), checks);
    if (read.url !== undefined)
      this.#url = new QuestionUrl(this.#channel, this.#owner, read.elicitationId, this.#ruling.others);
    try {
      await this.#ask(asker, read);
    } finally {
      this.#url?.close();
      this.#place?.();
      this.#inlinePlace?.();
    }
  }

  async #refuse(why: string): Promise<void> {
    this.#deps.refusals.note(this.#channel.server, why);
    await this.#request.reply(errorReply(RPC.invalidParams, why));
  }

  async #ask(asker: Asker, read: ReadQuestion): Promise<void> {
    const { broker, log, settings } = this.#deps;
    const { answer, audience, host, others, reason } = this.#ruling;
    const inline = answer === undefined && host && this.#inline(read);
    const full = inline ? this.#takeInline() : answer === undefined && others ? this.#takePlace() : undefined;
    if (full !== undefined) return this.#refuse(full);
    const params = this.#request.params ?? '{}';
    const row = await recordQuestion(broker, settings, asker, { read, params, inline, audience });
    this.#expiresAt = this.#deps.clock.monotonic() + Date.parse(row.expiresAt) - Date.parse(row.createdAt);
    this.#url?.opened(row.id);
    log.info({ row: row.id, server: row.server, call: row.call, inline }, 'question opened');
    const stop = this.#endings(row);
    try {
      const settled = broker.settled(row.id);
      if (reason !== undefined) {
        log.info({ row: row.id, why: reason }, 'a rule was tried');
        await this.#insist(row, () => broker.note(row.id, { reason }));
      }
      const asked = answer ? this.#answerBy(row, answer) : inline ? this.#askHost(row) : this.#cannotAsk(row);
      asked.catch(this.#break);
      await this.#deliver(await Promise.race([settled, this.#broken]));
    } finally {
      stop();
      this.#dialog.abort(CLOSED);
    }
  }

  /** Whether there is a host that can be shown the question now. */
  #inline(read: ReadQuestion): boolean {
    const { host, call } = this.#owner;
    if (!host || host.session.ended.aborted || !canBeShown(host.session.facts, read)) return false;
    return host.session.reachable(call?.context.open()) && this.#spelled(undefined) !== undefined;
  }

  /** The question in the host's own words; a URL under the id of its row, since two upstreams may choose one id. */
  #spelled(rowId: string | undefined): JsonText | undefined {
    const session = this.#owner.host?.session;
    const { params } = this.#request;
    if (!session || params === undefined) return undefined;
    return spellQuestion(session.facts.revision, {
      server: this.#channel.server,
      params,
      ...(rowId !== undefined && { elicitationId: rowId }),
    });
  }

  /** Ends the row when the asker or the call goes away first. Returns what takes the listeners off again. */
  #endings(row: Row): () => void {
    const { call, host } = this.#owner;
    const listeners: (() => void)[] = [];
    let ended = false;
    const on = (signal: AbortSignal, end: (reason: string) => Promise<unknown>): void => {
      const listener = (): void => {
        if (ended) return;
        ended = true;
        // At once, so that the notice precedes whatever goes to the host next.
        this.#dialog.abort(CLOSED);
        this.#insist(row, () => end(messageOf(signal.reason))).catch(this.#break);
      };
      if (signal.aborted) {
        listener();
        return;
      }
      signal.addEventListener('abort', listener, { once: true });
      listeners.push(() => signal.removeEventListener('abort', listener));
    };
    const { broker } = this.#deps;
    on(this.#request.signal, (reason) =>
      this.#request.signal.reason instanceof AskerGone
        ? broker.lose(row.id, reason)
        : broker.withdraw(row.id, reason),
    );
    on(this.#channel.ending, (reason) => broker.lose(row.id, reason));
    if (call) on(call.ended, (reason) => broker.withdraw(row.id, reason));
    else if (host) on(host.session.ended, (reason) => broker.withdraw(row.id, reason));
    return () => {
      for (const off of listeners) off();
    };
  }

  /** Takes a place among the questions that wait for people; a sentence where there is none. */
  #takePlace(): string | undefined {
    if (this.#place !== undefined) return undefined;
    const taken = this.#deps.quota.take(this.#channel.server);
    if (typeof taken === 'string') return taken;
    this.#place = taken;
    return undefined;
  }

  #takeInline(): string | undefined {
    const { call, host } = this.#owner;
    const taken = this.#deps.quota.takeInline(call ?? host ?? this.#channel);
    if (typeof taken === 'string') return taken;
    this.#inlinePlace = taken;
    return undefined;
  }

  async #answerBy(row: Row, answer: RuledAnswer): Promise<void> {
    const { won } = await this.#insist(row, () => this.#deps.broker.answer(row.id, answer));
    this.#deps.log.debug({ row: row.id, action: answer.action, by: answer.by, won }, 'a rule answered');
  }

  async #cannotAsk(row: Row): Promise<void> {
    const { host } = this.#ruling;
    const waits = await this.#leaveToOthers(
      row,
      host ? 'no host can take this question' : 'a rule keeps this question from the host',
    );
    if (waits && host && row.url !== undefined && isOpenable(row.url))
      this.#url?.block(row.id, this.#spelled(row.id));
  }

  async #askHost(row: Row): Promise<void> {
    const { broker, log } = this.#deps;
    const session = this.#owner.host?.session;
    if (!session) return;
    const via = this.#owner.call?.context.open();
    let reply: Reply;
    try {
      const asked = session.request('elicitation/create', this.#spelled(row.id), {
        signal: this.#dialog.signal,
        key: row.id,
        ...(via && { via }),
      });
      this.#url?.given(row.id);
      reply = await asked;
    } catch (error) {
      if (this.#dialog.signal.aborted) return;
      return this.#hostFailed(row, `the host could not be asked: ${messageOf(error)}`, undefined);
    }
    if ('error' in reply) return this.#hostFailed(row, `the host answered with an error`, reply);
    const answer = readAnswer(reply.result);
    if (!answer.ok)
      return this.#hostFailed(row, `the host's answer is malformed: ${answer.reason}`, undefined);
    const { action } = answer;
    // Nothing but consent comes back through a url question, whatever a host sends along.
    const content = row.mode === 'form' ? answer.content : undefined;
    try {
      const given = { action, by: 'host', ...(content !== undefined && { content }) } as const;
      const { won } = await this.#insist(row, () => broker.answer(row.id, given));
      log.debug({ row: row.id, action, won }, 'the host answered');
    } catch (error) {
      if (!(error instanceof McpxError) || error.code !== 'limit') throw error;
      return this.#hostFailed(row, `the host's answer was not accepted: ${error.message}`, undefined);
    }
  }

  /** A host that failed is not asked again; an error of its is never made into a decline (ELI-03, C15). */
  async #hostFailed(row: Row, reason: string, reply: Reply | undefined): Promise<void> {
    this.#inlinePlace?.();
    this.#deps.log.warn({ row: row.id, why: reason }, 'the host did not answer the question');
    if (!this.#ruling.others) this.#instead = reply ?? errorReply(RPC.internal, reason);
    await this.#deps.broker.note(row.id, { reason, inline: false }).catch(() => undefined);
    const waits = await this.#leaveToOthers(row, reason);
    if (waits && reply !== undefined) this.#url?.block(row.id, this.#spelled(row.id));
  }

  /** The question waits in the broker, if there is anybody it can wait for; whether it does. */
  async #leaveToOthers(row: Row, why: string): Promise<boolean> {
    const nobody = await this.#whyNobody(why);
    const full = nobody === undefined ? this.#takePlace() : undefined;
    if (full !== undefined) this.#instead = errorReply(RPC.invalidParams, full);
    const reason = nobody ?? full;
    if (reason === undefined) return true;
    // Cancel, not decline: nobody was asked, so nobody said no.
    const cancel = { action: 'cancel', by: 'mcpx', reason } as const;
    await this.#insist(row, () => this.#deps.broker.answer(row.id, cancel));
    return false;
  }

  /** Why nobody but the host, who did not, can answer; undefined where somebody can. */
  async #whyNobody(why: string): Promise<string | undefined> {
    const { broker, settings } = this.#deps;
    if (!this.#ruling.others) {
      const who = settings.elicit.audience === 'host' ? 'elicit.audience' : 'a rule with the audience';
      return `${why}, and ${who} "host" lets nobody else answer`;
    }
    return settings.elicit.unattended === 'cancel' && !(await broker.watched())
      ? `${why}, nobody watches, and elicit.unattended is "cancel"`
      : undefined;
  }

  /** Tries a commit again while only a lock is in its way, for as long as the question may live. */
  async #insist<T>(row: Row, commit: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await commit();
      } catch (error) {
        const locked = error instanceof McpxError && error.code === 'store_busy';
        if (!locked || this.#deps.clock.monotonic() >= this.#expiresAt) throw error;
        this.#deps.log.warn({ row: row.id }, 'the store is locked; trying again');
      }
    }
  }

  async #deliver(row: Row): Promise<void> {
    this.#url?.close();
    // First the notice to the host, then the outcome to the upstream, so that the notice precedes the result.
    this.#dialog.abort(CLOSED);
    this.#goOn();
    const { log, broker } = this.#deps;
    const { id } = row;
    logSettled(log, row);
    const delivered = await this.#request.reply(this.#instead ?? outcomeOf(row), row);
    if (!delivered) return log.info({ row: id }, 'its outcome could not be delivered');
    await this.#insist(row, () => broker.delivered(id));
    log.info({ row: id }, 'its outcome was delivered');
  }
}

/** A log line for a row that is no longer pending. */
export function logSettled(log: Log, { id, state, answer }: Row): void {
  const answered = state === 'accepted' || state === 'declined' || state === 'cancelled';
  log.info({ row: id, state, by: answer?.by }, `question ${answered ? 'answered' : state}`);
}

/** What the upstream gets for a row that is settled. Whatever nobody answered is cancel (ELI-03). */
export function outcomeOf(row: Row): Reply {
  const action = row.state === 'accepted' ? 'accept' : row.state === 'declined' ? 'decline' : 'cancel';
  return { result: answerText(row.mode, action, row.answer?.content) };
}

/** Tells a host at a steady pace that its call lives, until `ended` aborts or the returned function is called. */
export function keepAlive(
  clock: Clock,
  progress: ProgressSink | undefined,
  ended: AbortSignal | undefined,
): () => void {
  if (progress === undefined) return () => {};
  let timer = clock.after(KEEP_ALIVE, tick);
  function tick(): void {
    if (ended?.aborted) return;
    progress?.keepAlive('waiting for an answer');
    timer = clock.after(KEEP_ALIVE, tick);
  }
  return () => timer.cancel();
}
