// One round of a modern upstream on behalf of a stateless host: asked, sealed, answered anywhere, sent on whole.

import type { Row } from '../../broker/types.ts';
import { McpxError, messageOf } from '../../errors.ts';
import { declares, undeclared } from '../../protocol/capabilities.ts';
import { answerText, readAnswer } from '../../protocol/elicitation.ts';
import { json, jsonOf, quote } from '../../protocol/json-text.ts';
import { errorReply, RPC } from '../../protocol/message.ts';
import { spellQuestion } from '../../protocol/question/spell-question.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import { orAborted } from '../../waiting.ts';
import { logSettled, outcomeOf, type QuestionDeps } from '../questions/question.ts';
import {
  canBeShown,
  type Ruling,
  readQuestion,
  recordQuestion,
  ruleFacts,
  rulingOn,
} from '../questions/read-question.ts';
import type { Requester } from '../requesters.ts';
import { type Asked, responseProblem } from './questions-by-retry.ts';
import type { InputRequest, Round } from './rounds.ts';
import type { SealedQuestion } from './state-seal.ts';

/** -32021 MissingRequiredClientCapability (2026-07-28 schema). */
const MISSING_CAPABILITY = -32021;

/** Whose round it is. */
export interface RoundOwner {
  readonly host: Requester;
  readonly server: string;
  readonly call: { readonly id: string; readonly method: string; readonly target: string | undefined };
}

/** The questions of a round once they are recorded, or the error with which the call fails. */
export type Opened = { readonly questions: readonly SealedQuestion[] } | { readonly error: JsonText };

/** Records every question of a round, and says which of them go to the host. One that is refused fails the call. */
export async function openRound(deps: QuestionDeps, owner: RoundOwner, round: Round): Promise<Opened> {
  const questions: SealedQuestion[] = [];
  for (const request of round.requests) {
    const opened =
      request.method === 'elicitation/create'
        ? await openQuestion(deps, owner, request)
        : openOther(owner, request);
    if ('error' in opened) {
      await cancelRows(deps, questions, 'another question of the same round was refused');
      return opened;
    }
    questions.push(opened);
  }
  return { questions };
}

/** What the host is asked of a round: those questions that it can take, and has not answered yet. */
export function askedOf(questions: readonly SealedQuestion[]): Asked[] {
  return questions.flatMap(({ key, asked }): Asked[] => (asked ? [[key, asked.method, asked.params]] : []));
}

type One = SealedQuestion | { readonly error: JsonText };

async function openQuestion(deps: QuestionDeps, owner: RoundOwner, request: InputRequest): Promise<One> {
  const { settings, broker, log, checks, refusals } = deps;
  const { host, server, call } = owner;
  const { key, method, params = '{}' } = request;
  const read = await readQuestion(deps, server, params, '2026-07-28');
  if (typeof read === 'string') {
    refusals.note(server, read);
    return fail(RPC.invalidParams, `${server} sent a question that cannot be asked: ${read}`);
  }
  const ruling = await rulingOn(settings, ruleFacts({ server, call }, read), checks);
  const { answer, audience } = ruling;
  const spelled =
    answer === undefined && ruling.host && canBeShown(host.session.facts, read)
      ? spellQuestion(host.session.facts.revision, { server, params })
      : undefined;
  const inline = spelled !== undefined;
  const left = answer === undefined && !inline;
  if (left && !ruling.others) return missing(read.mode);
  const place = left ? deps.quota.take(server) : undefined;
  if (typeof place === 'string') {
    refusals.note(server, place);
    return fail(RPC.invalidParams, place);
  }
  const question = { read, params, inline, audience, sealed: true };
  const row = await recordQuestion(broker, settings, { server, host, call }, question);
  log.info({ row: row.id, server, call: call.id, inline }, 'question opened');
  await applyRuling(deps, row, ruling);
  if (left && settings.elicit.unattended === 'cancel' && !(await broker.watched()))
    await broker.answer(row.id, {
      action: 'cancel',
      by: 'mcpx',
      reason: 'no host can take this question, nobody watches, and elicit.unattended is "cancel"',
    });
  // No call holds it, so its place is free once the row is settled, by whomever.
  if (place) broker.settled(row.id).then(place, place);
  const asked = spelled === undefined ? undefined : { method, params: spelled };
  return { key, row: row.id, asked, mode: read.mode };
}

async function applyRuling({ broker, log }: QuestionDeps, row: Row, ruling: Ruling): Promise<void> {
  const { reason, answer } = ruling;
  if (reason !== undefined) await broker.note(row.id, { reason });
  if (answer === undefined) return;
  const { won } = await broker.answer(row.id, answer);
  log.info({ row: row.id, action: answer.action, by: answer.by, won }, 'a rule answered');
}

function openOther({ host, server }: RoundOwner, { key, method, params }: InputRequest): One {
  const need = method === 'roots/list' ? 'roots' : 'sampling';
  if (!declares(host.session.facts.capabilities, need))
    return fail(RPC.internal, `${server} asks for ${method}, which this host did not declare`);
  const beyond = undeclared(method, params, jsonOf(host.session.facts.capabilities));
  if (beyond !== undefined)
    return fail(
      RPC.internal,
      `${server} asks for ${method} with ${beyond}, and this host did not declare ${need}.tools`,
    );
  return { key, row: undefined, asked: { method, params }, mode: undefined };
}

function missing(mode: 'form' | 'url'): { error: JsonText } {
  return fail(
    MISSING_CAPABILITY,
    `the call needs a host that can be asked (elicitation, ${mode} mode)`,
    json`{"requiredCapabilities":{"elicitation":{${quote(mode)}:{}}}}`,
  );
}

function fail(code: number, message: string, data?: JsonText): { error: JsonText } {
  const reply = errorReply(code, message, data);
  if ('error' in reply) return reply;
  throw new Error('an error reply is an error');
}

/** Closes what is still open of a round that goes no further. */
export async function cancelRows(
  deps: QuestionDeps,
  questions: readonly SealedQuestion[],
  reason: string,
): Promise<void> {
  for (const { row } of questions)
    if (row !== undefined)
      await deps.broker
        .withdraw(row, reason)
        .then((settled) => settled.won && logSettled(deps.log, settled.row))
        .catch((error) => deps.log.warn({ row, error: messageOf(error) }, 'a row could not be closed'));
}

/** A retry's answers taken in: what is known now, and which questions the host still has to answer. */
export interface TakenIn {
  readonly answers: ReadonlyMap<string, JsonText>;
  readonly missing: readonly SealedQuestion[];
}

/**
 * Takes in what a retry brings for a sealed round. The first commit wins: where another surface settled the row, its
 * answer stands, else the host's; without the row (another machine) the host's stands. A sentence when one of the
 * responses is none; then nothing is taken.
 */
export async function takeIn(
  deps: QuestionDeps,
  questions: readonly SealedQuestion[],
  before: Iterable<readonly [key: string, response: JsonText]>,
  responses: ReadonlyMap<string, JsonText>,
): Promise<TakenIn | string> {
  const wanted = questions.filter(({ asked }) => asked !== undefined);
  for (const { key, asked } of wanted) {
    const response = responses.get(key);
    const problem =
      response === undefined || !asked
        ? undefined
        : (responseProblem(asked.method, response) ??
          lengthProblem(response, deps.settings.limits.answerBytes));
    if (problem !== undefined) return `inputResponses[${JSON.stringify(key)}]: ${problem}`;
  }
  const answers = new Map(before);
  const missing: SealedQuestion[] = [];
  for (const question of wanted) {
    if (answers.has(question.key)) continue;
    const answer = await answerOf(deps, question, responses.get(question.key));
    if (answer === undefined) missing.push(question);
    else answers.set(question.key, answer);
  }
  return { answers, missing };
}

function lengthProblem(response: JsonText, most: number): string | undefined {
  const bytes = Buffer.byteLength(response);
  return bytes > most ? `has ${bytes} bytes, and limits.answerBytes is ${most}` : undefined;
}

async function answerOf(
  deps: QuestionDeps,
  { row: id, mode }: SealedQuestion,
  response: JsonText | undefined,
): Promise<JsonText | undefined> {
  if (mode === undefined) return response;
  const given = response === undefined ? undefined : readAnswer(response);
  const own = given?.ok
    ? {
        action: given.action,
        ...(mode === 'form' && given.content !== undefined && { content: given.content }),
      }
    : undefined;
  const hosts = own && answerText(mode, own.action, own.content);
  const row = id === undefined ? undefined : await known(deps, id);
  if (!row) return hosts;
  // A secret that the host gave is not kept: the same retry brings it again, and no other answer takes its place.
  if (row.state === 'accepted' && row.sensitive) return own?.action === 'accept' ? hosts : undefined;
  if (row.state !== 'pending') return settledElsewhere(deps, row);
  if (!own) return undefined;
  const settled = await deps.broker.answer(row.id, { ...own, by: 'host' });
  logSettled(deps.log, settled.row);
  return settled.won ? hosts : resultOf(settled.row);
}

/** Waits for the rows that the broker keeps; resolves with all answers of the round. Rejects with `signal`'s reason. */
export async function waitForOthers(
  deps: QuestionDeps,
  questions: readonly SealedQuestion[],
  answers: ReadonlyMap<string, JsonText>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, JsonText>> {
  const all = new Map<string, JsonText>();
  const pairs = questions.map(async ({ key, row, mode }) => {
    const given = answers.get(key);
    if (given !== undefined) return [key, given] as const;
    const kept = row === undefined ? undefined : await known(deps, row);
    // Kept on another machine: nobody here can answer it, and nobody said no.
    if (!kept) return [key, answerText(mode ?? 'form', 'cancel')] as const;
    const settled = await orAborted(deps.broker.settled(kept.id, signal), signal);
    return [key, settledElsewhere(deps, settled)] as const;
  });
  for (const [key, answer] of await Promise.all(pairs)) all.set(key, answer);
  return all;
}

/** Notes that the upstream has the answers of a round. */
export async function markDelivered(deps: QuestionDeps, questions: readonly SealedQuestion[]): Promise<void> {
  const { broker, log } = deps;
  for (const { row } of questions) {
    if (row === undefined) continue;
    // A repeated retry carries what the upstream has had already.
    const before = await broker.get(row).catch(() => undefined);
    if (before === undefined || before.deliveredAt !== undefined) continue;
    const marked = await broker.delivered(row).catch(() => undefined);
    if (marked?.deliveredAt !== undefined) log.info({ row }, 'its outcome was delivered');
  }
}

/** The outcome of a row that some other surface, a rule or time has settled. */
function settledElsewhere({ log }: QuestionDeps, row: Row): JsonText {
  if (row.deliveredAt === undefined) logSettled(log, row);
  return resultOf(row);
}

async function known(deps: QuestionDeps, id: string): Promise<Row | undefined> {
  try {
    return await deps.broker.get(id);
  } catch (error) {
    if (error instanceof McpxError && error.code === 'not_found') return undefined;
    throw error;
  }
}

function resultOf(row: Row): JsonText {
  const reply: Reply = outcomeOf(row);
  return 'result' in reply ? reply.result : answerText(row.mode, 'cancel');
}
