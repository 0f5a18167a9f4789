// -32042, "URL elicitation required": read from an upstream, written for a host (2025-11-25 client/elicitation; ELI-12).
import { readElicitation } from './elicitation.ts';
import {
  arrayText,
  countItems,
  duplicateKey,
  elements,
  isArray,
  isObject,
  json,
  member,
  membersOf,
  quote,
  read,
  withMember,
} from './json-text.ts';
import { errorReply, RPC } from './message.ts';
import type { JsonText, Reply } from './types.ts';

/** One entry of `data.elicitations`: `params` is the entry as it came, which is also how the same URL would be asked for. */
export interface RequiredUrl {
  readonly params: JsonText;
  readonly message: string;
  readonly url: string;
  readonly elicitationId: string;
}

/** Whether a JSON-RPC error object has the code. */
export function isUrlRequired(error: JsonText): boolean {
  const code = member(error, 'code');
  return code !== undefined && read(code) === RPC.urlElicitationRequired;
}

/**
 * The entries of a -32042; undefined unless there is at least one and every one is url mode with a URL and an id. Keys
 * that stand twice make it undefined too: two readers would see two URLs. `many` when there are more than `most`.
 */
export function readUrlRequired(error: JsonText, most: number): readonly RequiredUrl[] | 'many' | undefined {
  const { code, data } = membersOf(error, ['code', 'data']);
  if (code === undefined || read(code) !== RPC.urlElicitationRequired) return undefined;
  if (data === undefined || !isObject(data)) return undefined;
  const list = member(data, 'elicitations');
  if (list === undefined || !isArray(list)) return undefined;
  // Before anything else is looked at: the rest takes time by their number.
  if (countItems(list, most) > most) return 'many';
  if (duplicateKey(error) !== undefined || duplicateKey(data) !== undefined) return undefined;
  const entries = elements(list).map(entryOf);
  const sound = entries.filter((entry) => entry !== undefined);
  return sound.length > 0 && sound.length === entries.length ? sound : undefined;
}

function entryOf(text: JsonText): RequiredUrl | undefined {
  if (!isObject(text) || duplicateKey(text) !== undefined) return undefined;
  // The error has a message of its own, so that one may be missing here.
  const params = member(text, 'message') === undefined ? withMember(text, 'message', quote('')) : text;
  const asked = readElicitation(params);
  if (!asked.ok || asked.url === undefined || asked.elicitationId === undefined) return undefined;
  return { params, message: asked.message, url: asked.url, elicitationId: asked.elicitationId };
}

/** The error for a host; `elicitations` are params of url questions in the host's words. */
export function urlRequiredReply(message: string, elicitations: readonly JsonText[]): Reply {
  return errorReply(RPC.urlElicitationRequired, message, json`{"elicitations":${arrayText(elicitations)}}`);
}
