// JSON-RPC messages: taken apart into slices, never parsed whole, and put together into frames of one line.
import { atOnce, isKey, JsonTextError, kindOf, LOOKED_AT, slice, type Visit, walking } from './json-scan.ts';
import {
  elements,
  isObject,
  isWhole,
  json,
  membersOf,
  oneLine,
  quote,
  read,
  stringOf,
  trustedJson,
} from './json-text.ts';
import { paramsOf } from './params.ts';
import type { JsonText, Message, Reply } from './types.ts';

/** JSON-RPC error codes, and those MCP adds. */
export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** 2025-11-25 and earlier; from 2026-07-28 on `invalidParams`. */
  resourceNotFound: -32002,
  /** 2025-11-25 only. */
  urlElicitationRequired: -32042,
  /** These three from 2026-07-28 on. */
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** A message, or why it is none; `id` is the id that an error reply should carry, `null` where it is not known. */
export type Parsed =
  | { readonly ok: true; readonly message: Message }
  | {
      readonly ok: false;
      readonly id: JsonText;
      readonly code: typeof RPC.parse | typeof RPC.invalidRequest;
      readonly reason: string;
      /** It is a reply, and its id is of no kind that a request could have. */
      readonly stray?: true;
    };

/** What stands in one line, event or body: a message, or a batch of them (2025-03-26 basic/index, "Batching"). */
export type Frame =
  | { readonly batch: false; readonly item: Parsed }
  | { readonly batch: true; readonly items: readonly Parsed[] };

/** Keys that mcpx decides on: two parsers must not see two messages in one (docs/relay.md, "Slices of text"). */
const ENVELOPE = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'] as const;
type Members = Partial<Record<(typeof ENVELOPE)[number], JsonText>>;

/** Reads one line, SSE event or POST body. */
export function parseFrame(text: string): Frame {
  return atOnce(parsingFrame(text, Number.POSITIVE_INFINITY));
}

/** As `parseFrame`, with a pause about every `stretch` characters (C48). */
export function* parsingFrame(text: string, stretch: number): Generator<void, Frame> {
  try {
    const line = oneLine(trustedJson(text));
    if (kindOf(line) !== 'array') return { batch: false, item: yield* parsingObject(line, stretch) };
    const parts = elements(line);
    // JSON-RPC 2.0, "Batch": an empty array is answered by one error object, not by an array of them.
    if (parts.length === 0) return { batch: false, item: invalid('the batch is empty') };
    const items: Parsed[] = [];
    for (const part of parts) items.push(yield* parsingObject(part, stretch));
    return { batch: true, items };
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return { batch: false, item: { ok: false, id: 'null', code: RPC.parse, reason: error.message } };
  }
}

/** Reads one message; a batch is none. */
export function parseMessage(text: string): Parsed {
  const frame = parseFrame(text);
  return frame.batch ? invalid('a batch is no message') : frame.item;
}

function invalid(reason: string, id: JsonText = 'null'): Parsed {
  return { ok: false, id, code: RPC.invalidRequest, reason };
}

function* parsingObject(text: JsonText, stretch: number): Generator<void, Parsed> {
  const envelope: Members = {};
  let twice: string | undefined;
  const visit: Visit = (keyStart, keyEnd, start, end) => {
    for (const name of ENVELOPE) {
      if (!isKey(text, keyStart, keyEnd, name)) continue;
      if (envelope[name] !== undefined) twice ??= name;
      envelope[name] = slice(text, start, end);
    }
  };
  yield* walking(text, visit, stretch);
  if (!isObject(text)) return invalid('a message is an object');
  const id = envelope.id !== undefined && isId(envelope.id) ? envelope.id : 'null';
  if (twice !== undefined) return invalid(`"${twice}" appears twice`, twice === 'id' ? 'null' : id);
  if (stringOf(envelope.jsonrpc) !== '2.0') return invalid('"jsonrpc" is not "2.0"', id);
  if (envelope.method !== undefined) return parseCall(envelope, envelope.method, id);
  return parseResponse(envelope, id);
}

function isId(text: JsonText): boolean {
  const kind = kindOf(text);
  return kind === 'string' || kind === 'number';
}

function parseCall(envelope: Members, methodText: JsonText, id: JsonText): Parsed {
  const method = stringOf(methodText);
  if (method === undefined) return invalid('"method" is not a string', id);
  if (envelope.result !== undefined || envelope.error !== undefined) {
    return invalid('a message has either a method or an outcome', id);
  }
  // Some peers write null for parameters that are absent; nothing else but an object is meant by MCP.
  const params = envelope.params === 'null' ? undefined : envelope.params;
  if (params !== undefined) {
    if (!isObject(params)) return invalid('"params" is not an object', id);
    // The scan looks at no more than the start of a large string; what mcpx reads and decides on must be right.
    if (params.length > LOOKED_AT && !isWhole(params)) {
      return { ok: false, id, code: RPC.parse, reason: '"params" is malformed' };
    }
  }
  const message: Message =
    envelope.id === undefined
      ? { kind: 'notification', method, params }
      : { kind: 'request', id, method, params };
  const twice = paramsOf(message)?.repeated;
  if (twice !== undefined) return invalid(`"${twice}" appears twice in "params"`, id);
  if (message.kind === 'request' && id === 'null') return invalid('"id" is neither a string nor a number');
  return { ok: true, message };
}

function parseResponse(envelope: Members, id: JsonText): Parsed {
  const { result, error } = envelope;
  if (result !== undefined && error !== undefined)
    return invalid('a response has either a result or an error', id);
  if (result !== undefined) {
    if (id === 'null') return stray(envelope, 'a result names no request');
    return { ok: true, message: { kind: 'result', id, result } };
  }
  if (error === undefined) return invalid('neither a request nor a response', id);
  if (envelope.id !== undefined && envelope.id !== 'null' && id === 'null') {
    return stray(envelope, '"id" is neither a string nor a number');
  }
  return { ok: true, message: { kind: 'error', id, error: soundError(error) } };
}

/** Without an id, or with null, it may be about a notification; with any other odd id it is the reply to a request. */
function stray({ id }: Members, reason: string): Parsed {
  const fault = { ok: false, id: 'null', code: RPC.invalidRequest, reason } as const;
  return id === undefined || id === 'null' ? fault : { ...fault, stray: true };
}

/** An error that is not a JSON-RPC error object cannot be passed on: it goes into the `data` of one that is. */
function soundError(error: JsonText): JsonText {
  const found = isObject(error) ? membersOf(error, ['code', 'message']) : {};
  const { code } = found;
  const message = stringOf(found.message);
  const isCode = code !== undefined && kindOf(code) === 'number' && Number.isInteger(read(code));
  if (isCode && message !== undefined) return error;
  return errorText(RPC.internal, message ?? 'The peer sent a malformed error', error);
}

/** A request in one line. */
export function requestText(id: JsonText, method: string, params?: JsonText): JsonText {
  return trustedJson(`{"jsonrpc":"2.0","id":${id},"method":${quote(method)}${paramsText(params)}}`);
}

/** A notification in one line. */
export function notificationText(method: string, params?: JsonText): JsonText {
  return trustedJson(`{"jsonrpc":"2.0","method":${quote(method)}${paramsText(params)}}`);
}

function paramsText(params: JsonText | undefined): string {
  return params === undefined ? '' : `,"params":${oneLine(params)}`;
}

/**
 * A response in one line. An id that is not known (`null`) is left out, as 2025-11-25 has it, whose schema admits no
 * null there.
 */
export function replyText(id: JsonText, reply: Reply): JsonText {
  const named = id === 'null' ? '' : json`"id":${id},`;
  const outcome = 'result' in reply ? `"result":${oneLine(reply.result)}` : `"error":${oneLine(reply.error)}`;
  return trustedJson(`{"jsonrpc":"2.0",${named}${outcome}}`);
}

/** A JSON-RPC error object. */
export function errorText(code: number, message: string, data?: JsonText): JsonText {
  const more = data === undefined ? '' : `,"data":${data}`;
  return trustedJson(`{"code":${code},"message":${quote(message)}${more}}`);
}

export function errorReply(code: number, message: string, data?: JsonText): Reply {
  return { error: errorText(code, message, data) };
}
