// A question as it comes in: read, held against the limits, and recorded before anybody is asked.
import type { RuleQuestion } from '../broker/rules.ts';
import type { Audience, Broker, NewRow, Row } from '../broker/types.ts';
import type { Settings } from '../config/types.ts';
import { formOf } from '../form/form-of.ts';
import { limitsProblem } from '../form/limits.ts';
import type { HostFacts } from '../host/types.ts';
import { elicitationModes } from '../protocol/capabilities.ts';
import { readElicitation } from '../protocol/elicitation.ts';
import type { JsonText, Revision } from '../protocol/types.ts';
import { verdictOf } from '../url/verdict.ts';
import type { HostState } from './host-state.ts';

/** A question that was understood and is within the limits. */
export type ReadQuestion = Extract<ReturnType<typeof readElicitation>, { ok: true }>;

/**
 * Reads the params of an `elicitation/create` of an upstream of this revision; a sentence when it is not taken in, for
 * the upstream as -32602.
 */
export function readQuestion(
  settings: Settings,
  params: JsonText | undefined,
  revision: Revision | undefined,
): ReadQuestion | string {
  const read = readElicitation(params, revision);
  if (!read.ok) return read.reason;
  const { limits } = settings;
  if (read.url !== undefined) {
    const verdict = verdictOf(read.url);
    if (!verdict.valid) return `"url" is no URL: ${verdict.reason}`;
  }
  const bytes = Buffer.byteLength(read.message);
  if (bytes > limits.messageBytes)
    return `the message has ${bytes} bytes and limits.messageBytes is ${limits.messageBytes}; raise it in mcpx.json`;
  const tooLarge =
    read.requestedSchema === undefined ? undefined : limitsProblem(read.requestedSchema, limits);
  return tooLarge ?? read;
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
  readonly host: HostState | undefined;
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
    sensitive: isSensitive(read),
  };
}

function isSensitive({ requestedSchema }: ReadQuestion): boolean {
  return requestedSchema !== undefined && formOf(requestedSchema).fields.some((field) => field.secret);
}

/** Commits the row of a question. `inline` says that its host is about to be asked. */
export function openRow(
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
    ...(host && facts && { host: { name: host.name, revision: facts.revision, inline } }),
    principal: facts?.principal ?? 'local',
    audience: question.audience ?? (settings.elicit.audience === 'host' ? 'host' : 'human'),
    sensitive: isSensitive(read),
    ttl: settings.elicit.ttl,
    ...(sealed && { sealed }),
  };
  return broker.open(row);
}
