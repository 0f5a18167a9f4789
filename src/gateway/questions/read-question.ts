// A question as it comes in: read, held against the limits, and recorded before anybody is asked.

import { decidingRule, type RuleQuestion } from '../../broker/rules.ts';
import type { AnsweredBy, Audience, Broker, NewRow, Row } from '../../broker/types.ts';
import type { Settings } from '../../config/types.ts';
import type { FormChecks } from '../../form/checks.ts';
import { limitsProblem } from '../../form/limits.ts';
import type { HostFacts } from '../../host/types.ts';
import { elicitationModes } from '../../protocol/capabilities.ts';
import { readElicitation } from '../../protocol/elicitation.ts';
import type { Action, JsonText, Revision } from '../../protocol/types.ts';
import { verdictOf } from '../../url/verdict.ts';
import type { Requester } from '../requesters.ts';

/** A question that was understood and is within the limits; `sensitive` when it asks for a secret. */
export type ReadQuestion = Extract<ReturnType<typeof readElicitation>, { ok: true }> & {
  readonly sensitive: boolean;
};

/**
 * Reads the params of an `elicitation/create` of an upstream of this revision; a sentence when it is not taken in, for
 * the upstream as -32602. What is not known in time is not taken in: it might ask for a secret.
 */
export async function readQuestion(
  { settings, checks }: { readonly settings: Settings; readonly checks: FormChecks },
  server: string,
  params: JsonText | undefined,
  revision: Revision | undefined,
): Promise<ReadQuestion | string> {
  const read = readElicitation(params, revision);
  if (!read.ok) return read.reason;
  const { limits } = settings;
  if (read.url !== undefined) {
    const verdict = verdictOf(read.url);
    if (!verdict.valid) return `"url" is not a URL: ${verdict.reason}`;
  }
  const bytes = Buffer.byteLength(read.message);
  if (bytes > limits.messageBytes)
    return `the message has ${bytes} bytes and limits.messageBytes is ${limits.messageBytes}; raise it in mcpx.json`;
  if (read.requestedSchema === undefined) return { ...read, sensitive: false };
  const tooLarge = limitsProblem(read.requestedSchema, limits);
  if (tooLarge !== undefined) return tooLarge;
  const outline = await checks.outline(server, read.requestedSchema);
  if (outline === undefined) return 'requestedSchema could not be read in time; make it smaller';
  return { ...read, sensitive: outline.form.fields.some(({ secret }) => secret) };
}

/** Whether a host declared what it takes to be shown this question, and the question can be shown at all. */
export function canBeShown({ revision, capabilities }: HostFacts, read: ReadQuestion): boolean {
  if (!elicitationModes(revision, capabilities)[read.mode]) return false;
  return read.url === undefined || isOpenable(read.url);
}

/** Whether a URL may be opened by anybody: http and https only. */
export function isOpenable(url: string): boolean {
  const verdict = verdictOf(url);
  return verdict.valid && verdict.openable;
}

/** Whose question it is, as far as that is known. */
export interface Asker {
  readonly server: string;
  readonly host: Requester | undefined;
  readonly call:
    | { readonly id: string; readonly method: string; readonly target: string | undefined }
    | undefined;
}

/** What a rule looks at. */
export function ruleFacts({ server, call }: Omit<Asker, 'host'>, read: ReadQuestion): RuleQuestion {
  return {
    server,
    mode: read.mode,
    message: read.message,
    ...(read.requestedSchema !== undefined && { requestedSchema: read.requestedSchema }),
    ...(call && { method: call.method }),
    ...(call?.target !== undefined && { tool: call.target }),
    sensitive: read.sensitive,
  };
}

/** Commits the row of a question. `inline` says that its host is about to be asked. */
export function recordQuestion(
  broker: Broker,
  settings: Settings,
  asker: Asker,
  question: {
    readonly read: ReadQuestion;
    readonly params: JsonText;
    readonly inline: boolean;
    /** By default the host where the broker is off, people elsewhere. */
    readonly audience?: Audience;
    readonly sealed?: boolean;
  },
): Promise<Row> {
  const { read, params, inline, sealed } = question;
  const { server, call, host } = asker;
  const facts = host?.session.facts;
  const row: NewRow = {
    server,
    mode: read.mode,
    message: read.message,
    params,
    ...(read.requestedSchema !== undefined && { requestedSchema: read.requestedSchema }),
    ...(read.url !== undefined && { url: read.url }),
    ...(read.elicitationId !== undefined && { elicitationId: read.elicitationId }),
    ...(call && { call: call.id, method: call.method }),
    ...(call?.target !== undefined && { tool: call.target }),
    ...(facts && { host: { name: facts.clientName, revision: facts.revision, inline } }),
    principal: facts?.principal ?? 'local',
    audience: question.audience ?? (settings.elicit.audience === 'host' ? 'host' : 'human'),
    sensitive: read.sensitive,
    ttl: settings.elicit.ttl,
    ...(sealed && { sealed }),
  };
  return broker.open(row);
}

/** The answer of a rule, as the broker takes it. */
export interface RuledAnswer {
  readonly action: Action;
  readonly content?: JsonText;
  readonly by: AnsweredBy;
}

export interface Ruling {
  /** A rule answers, and nobody is asked. */
  readonly answer?: RuledAnswer;
  readonly audience: Audience;
  /** Whether the host may be shown the question. */
  readonly host: boolean;
  /** Whether anybody but the host may answer it. */
  readonly others: boolean;
  /** For the row: that a rule chose who is asked, or why one that matches does not answer. */
  readonly reason?: string;
}

/** Tried before anybody is asked (docs/broker.md, "Who may answer"). */
export async function rulingOn(
  settings: Settings,
  question: RuleQuestion,
  checks: FormChecks,
): Promise<Ruling> {
  const { elicit } = settings;
  const usual: Ruling =
    elicit.audience === 'host'
      ? { audience: 'host', host: true, others: false }
      : { audience: 'human', host: true, others: true };
  const verdict = await decidingRule(elicit, question, checks);
  if (verdict === undefined) return usual;
  const { name, action, result, why, undecided } = verdict;
  if (result === 'void')
    return {
      ...usual,
      reason: `the rule "${name}" ${undecided ? 'does' : 'matches and does'} not answer: ${why}`,
    };
  switch (action.do) {
    case 'ask': {
      const { audience } = action;
      const reason = `the rule "${name}" asks the audience "${audience}"`;
      return { audience, host: audience === 'host', others: audience !== 'host', reason };
    }
    case 'accept':
      return { ...usual, answer: { action: action.do, content: action.content, by: `rule:${name}` } };
    case 'decline':
    case 'cancel':
      return { ...usual, answer: { action: action.do, by: `rule:${name}` } };
  }
}
