// What an elicitation/create asks, what a host answered to one, and how an answer is told to the upstream.
import { duplicateKey, isObject, json, member, quote, stringOf } from './json-text.ts';
import { isLegacy } from './revisions.ts';
import { ACTIONS, type Action, type JsonText, type Mode, type Revision } from './types.ts';

/** The parts of a question that mcpx reads; `requestedSchema` is a slice of the params. */
export type Elicitation =
  | {
      readonly ok: true;
      readonly mode: Mode;
      readonly message: string;
      readonly requestedSchema?: JsonText;
      readonly url?: string;
      readonly elicitationId?: string;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads the params of an `elicitation/create` from an upstream of this revision. What is not ok gets -32602 with the
 * reason (2025-11-25 client/elicitation, "Error Handling"). A missing `mode` is form (ELI-08, C13); from 2026-07-28 on a
 * url question has no `elicitationId`.
 */
export function readElicitation(
  params: JsonText | undefined,
  revision: Revision = '2025-11-25',
): Elicitation {
  if (params === undefined) return bad('the question has no params');
  const message = stringOf(member(params, 'message'));
  if (message === undefined) return bad('"message" is not a string');
  const modeText = member(params, 'mode');
  const mode = modeText === undefined ? 'form' : stringOf(modeText);
  switch (mode) {
    case 'form': {
      const requestedSchema = member(params, 'requestedSchema');
      if (requestedSchema === undefined || !isObject(requestedSchema)) {
        return bad('"requestedSchema" is not an object');
      }
      return { ok: true, mode, message, requestedSchema };
    }
    case 'url': {
      const url = stringOf(member(params, 'url'));
      if (url === undefined) return bad('"url" is not a string');
      if (!isLegacy(revision)) return { ok: true, mode, message, url };
      const elicitationId = stringOf(member(params, 'elicitationId'));
      if (elicitationId === undefined) return bad('"elicitationId" is not a string');
      return { ok: true, mode, message, url, elicitationId };
    }
    default:
      return bad('"mode" is neither "form" nor "url"');
  }
}

/** A host's answer; `content` only with accept, as the text it came in. */
export type ReadAnswer =
  | { readonly ok: true; readonly action: Action; readonly content?: JsonText }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads a host's ElicitResult. Content beside decline or cancel is not looked at (C06); whether it fits the schema is
 * for the asking server to judge. What is not ok is no answer, and never a decline (ELI-03).
 */
export function readAnswer(result: JsonText): ReadAnswer {
  if (!isObject(result)) return bad('the answer is not an object');
  const twice = duplicateKey(result);
  if (twice === 'action' || twice === 'content') return bad(`"${twice}" appears twice in the answer`);
  const word = stringOf(member(result, 'action'));
  const action = ACTIONS.find((known) => known === word);
  if (action === undefined) return bad('the answer has no "action" of accept, decline or cancel');
  if (action !== 'accept') return { ok: true, action };
  const content = member(result, 'content');
  if (content === undefined || content === 'null') return { ok: true, action };
  if (!isObject(content)) return bad('the "content" of the answer is not an object');
  return { ok: true, action, content };
}

/**
 * The ElicitResult for the upstream: content only with the accept of a form, and always there, `{}` if none was given
 * (docs/relay.md, "Spelling a question"; ELI-03, ELI-06, C06).
 */
export function answerText(mode: Mode, action: Action, content?: JsonText): JsonText {
  if (mode !== 'form' || action !== 'accept') return json`{"action":${quote(action)}}`;
  return json`{"action":"accept","content":${content ?? '{}'}}`;
}

function bad(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

/** Puts the params of a question into the words of an era; undefined where the era has none for them. */
export type QuestionCodec = (params: JsonText, elicitationId: string | undefined) => JsonText | undefined;
