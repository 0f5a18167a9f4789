// What a request of 2026-07-28 says of itself in `_meta` and headers, held against each other (basic/index, "_meta").
import type { InboundClassificationOutcome, InboundHttpRequest } from '@modelcontextprotocol/server';
import {
  entries,
  isObject,
  isWhole,
  jsonOf,
  mapMembers,
  member,
  read,
  stringOf,
} from '../../protocol/json-text.ts';
import { LEVELS } from '../../protocol/log-level.ts';
import { RPC } from '../../protocol/message.ts';
import { META, META_PREFIX } from '../../protocol/meta.ts';
import { Params, paramsOf } from '../../protocol/params.ts';
import { isLegacy, isRevision } from '../../protocol/revisions.ts';
import type { JsonText, Message, Request } from '../../protocol/types.ts';
import type { HostFacts, StatelessRequest } from '../types.ts';
import { refuse, type StatelessResponse, unsupported } from './stateless-response.ts';

/** `classifyInboundRequest` of the official server package: decides the era, and checks the envelope. */
export type Classify = (request: InboundHttpRequest) => InboundClassificationOutcome;

/** The headers of an HTTP request that mirror its body. */
export interface MirrorHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/** What a request says of itself. */
const ENVELOPE: readonly string[] = [
  META.protocolVersion,
  META.clientInfo,
  META.clientCapabilities,
  META.logLevel,
];

/** What a request comes to once its envelope is opened. */
export type Envelope = Pick<
  StatelessRequest,
  'params' | 'facts' | 'inputResponses' | 'requestState' | 'logLevel'
>;

/**
 * Opens the envelope of one request; an Answer where it is refused, `legacy` where it is none of this era (an `initialize`
 * without a whole envelope). Headers are undefined on stdio.
 */
export function openEnvelope(
  classify: Classify,
  request: Request,
  headers: MirrorHeaders | undefined,
  from: Pick<HostFacts, 'principal' | 'transport'>,
): Envelope | StatelessResponse | 'legacy' {
  const { method, params } = request;
  const index = paramsOf(request);
  // The scanner that let the message through looks less closely than JSON.parse does.
  if (params !== undefined && !isWhole(params)) return refuse(400, RPC.parse, 'This is not JSON.');
  const metaText = index?.in('_meta')?.text;
  const meta = metaText === undefined ? undefined : (read(metaText) as Readonly<Record<string, unknown>>);
  const outcome = classify({
    httpMethod: 'POST',
    ...(headers?.version === undefined ? {} : { protocolVersionHeader: headers.version }),
    ...(headers?.method === undefined ? {} : { mcpMethodHeader: headers.method }),
    // Only the envelope: other values, the id among them, may be such that no number of JavaScript can hold them, and what
    // is no progressToken is none rather than a fault (C56).
    body: { jsonrpc: '2.0', id: 0, method, params: meta === undefined ? {} : { _meta: envelopeOf(meta) } },
  });
  switch (outcome.kind) {
    case 'reject': {
      const data = outcome.data === undefined ? undefined : jsonOf(outcome.data);
      return refuse(outcome.httpStatus, outcome.code, outcome.message, data);
    }
    case 'legacy':
      return 'legacy';
    case 'modern': {
      const { revision } = outcome.classification;
      if (revision !== '2026-07-28') return unsupported(revision ?? '');
      return readParams(index ?? new Params('{}'), meta ?? {}, from);
    }
  }
}

function envelopeOf(meta: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    ENVELOPE.filter((key) => Object.hasOwn(meta, key)).map((key) => [key, meta[key]]),
  );
}

function readParams(
  params: Params,
  meta: Readonly<Record<string, unknown>>,
  from: Pick<HostFacts, 'principal' | 'transport'>,
): Envelope | StatelessResponse {
  const inputResponses = params.get('inputResponses');
  const stateText = params.get('requestState');
  const requestState = stringOf(stateText);
  const logLevel = meta[META.logLevel];
  if (inputResponses !== undefined && !isObject(inputResponses))
    return invalid('inputResponses is not an object');
  if (stateText !== undefined && requestState === undefined) return invalid('requestState is not a string');
  if (logLevel !== undefined && (typeof logLevel !== 'string' || !LEVELS.includes(logLevel)))
    return invalid(`${META.logLevel} is not one of ${LEVELS.join(', ')}`);
  const clientInfo = meta[META.clientInfo] as { readonly name?: unknown } | undefined;
  const name = clientInfo?.name;
  return {
    params: plainParams(params.text),
    facts: {
      ...from,
      revision: '2026-07-28',
      capabilities: meta[META.clientCapabilities],
      clientName: typeof name === 'string' ? name : '',
    },
    inputResponses,
    requestState,
    logLevel,
  };
}

function invalid(what: string): StatelessResponse {
  return refuse(400, RPC.invalidParams, `Invalid params: ${what}.`);
}

/** What is left for the upstream: the envelope is between the host and mcpx, the rest of `_meta` is not. */
function plainParams(params: JsonText): JsonText {
  return mapMembers(params, (value, key) => {
    if (key === 'inputResponses' || key === 'requestState') return undefined;
    if (key !== '_meta' || !isObject(value)) return value;
    const rest = mapMembers(value, (inner, name) => (name.startsWith(META_PREFIX) ? undefined : inner));
    return entries(rest).length === 0 ? undefined : rest;
  });
}

/** Whether a request or notification says in its `_meta` which revision it is of, as none did before 2026-07-28. */
export function isModernMessage(message: Message): boolean {
  if (message.kind !== 'request' && message.kind !== 'notification') return false;
  return paramsOf(message)?.at(['_meta', META.protocolVersion]) !== undefined;
}

/** The name that the host of a request gives itself; empty where it gives none. */
export function clientOf(request: Request): string {
  const info = paramsOf(request)?.at(['_meta', META.clientInfo]);
  return (info !== undefined && isObject(info) && stringOf(member(info, 'name'))) || '';
}

/** Whether an `MCP-Protocol-Version` header names a revision without sessions. */
export function isModernHeader(header: string | undefined): boolean {
  return isRevision(header) && !isLegacy(header);
}
