// A message that is too long to be kept: whose it is, by what stands at its beginning and at its end (C59).
import { isKey, JsonTextError, skipSpace, skipString, skipValue, slice, unquote } from './json-scan.ts';
import type { JsonText } from './types.ts';

/** What is kept of each end; bytes. */
const KEPT = 4096;
/** A text that is longer than so many times the limit is not read to its end. */
export const FAR_TOO_LONG = 4;

/** What can be told of a message of which only both ends are known. */
export interface Overlong {
  /** `unknown`: JSON, but which kind of message does not show. `noise`: no JSON at all. */
  readonly kind: 'request' | 'notification' | 'reply' | 'unknown' | 'noise';
  /** Where it stands at the beginning or at the end of the message. */
  readonly id: JsonText | undefined;
}

/** Keeps both ends of a text that comes in pieces. */
export class Excerpt {
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);
  #length = 0;

  /** How many bytes have come. */
  get length(): number {
    return this.#length;
  }

  push(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#head.length < KEPT)
      this.#head = Buffer.concat([this.#head, piece.subarray(0, KEPT - this.#head.length)]);
    const last = piece.subarray(-KEPT);
    // A copy, so that a large piece is not held by the small end of it.
    this.#tail = Buffer.concat([
      this.#tail.subarray(Math.max(0, this.#tail.length + last.length - KEPT)),
      last,
    ]);
  }

  /** The first and the last few thousand characters; they overlap in a short text. */
  get ends(): { readonly head: string; readonly tail: string } {
    return { head: this.#head.toString('utf8'), tail: this.#tail.toString('utf8') };
  }

  /** `whole` says that the text has been seen to its end, so that its last bytes are its end. */
  read(whole = true): Overlong {
    const { head, tail } = this.ends;
    return overlong(head, whole ? tail : '');
  }
}

/** Tells whose a long text is from its first and its last few characters. */
export function overlong(head: string, tail: string): Overlong {
  const first = head.trimStart()[0];
  if (first === '[') return { kind: 'unknown', id: undefined };
  if (first !== '{') return { kind: 'noise', id: undefined };
  const found = new Map<string, JsonText | undefined>();
  let doubtful = false;
  for (const [key, value] of [...membersAtStart(head), ...membersAtEnd(tail)]) {
    const before = found.get(key);
    if (key === 'id' && before !== undefined && value !== undefined && before !== value) doubtful = true;
    found.set(key, value ?? before);
  }
  const text = found.get('id');
  const isId = text !== undefined && /^["\d-]/.test(text);
  const id = isId && !doubtful ? text : undefined;
  if (found.has('method')) return { kind: found.has('id') ? 'request' : 'notification', id };
  if (found.has('result') || found.has('error')) return { kind: 'reply', id };
  return { kind: 'unknown', id };
}

type Member = readonly [key: string, value: JsonText | undefined];

/** The members that begin in `head`; the last one may have its value cut off. */
function membersAtStart(head: string): Member[] {
  const members: Member[] = [];
  let key = '';
  let i = skipSpace(head, skipSpace(head, 0) + 1);
  try {
    for (;;) {
      const keyEnd = skipString(head, i);
      key = ['id', 'method', 'result', 'error'].find((name) => isKey(head, i, keyEnd, name)) ?? '';
      const colon = skipSpace(head, keyEnd);
      if (head[colon] !== ':') return members;
      const start = skipSpace(head, colon + 1);
      members.push([key, undefined]);
      const end = skipValue(head, start);
      const next = skipSpace(head, end);
      // A number that stands at the very end may go on.
      if (head[next] !== ',' && head[next] !== '}') return members;
      members[members.length - 1] = [key, slice(head, start, end)];
      if (head[next] === '}') return members;
      i = skipSpace(head, next + 1);
    }
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return members;
  }
}

/** The last members of the outermost object, as long as their values are strings, numbers or literals. */
function membersAtEnd(tail: string): Member[] {
  const members: Member[] = [];
  let end = backOverSpace(tail, tail.length);
  if (tail[end - 1] !== '}') return members;
  end = backOverSpace(tail, end - 1);
  for (;;) {
    const start = scalarBefore(tail, end);
    if (start === undefined) return members;
    const colon = backOverSpace(tail, start) - 1;
    if (tail[colon] !== ':') return members;
    const keyEnd = backOverSpace(tail, colon);
    const keyStart = tail[keyEnd - 1] === '"' ? stringBefore(tail, keyEnd) : undefined;
    if (keyStart === undefined) return members;
    const comma = backOverSpace(tail, keyStart) - 1;
    if (tail[comma] !== ',' && tail[comma] !== '{') return members;
    members.push([unquote(tail.slice(keyStart, keyEnd)), slice(tail, start, end)]);
    if (tail[comma] === '{') return members;
    end = backOverSpace(tail, comma);
  }
}

function backOverSpace(text: string, end: number): number {
  let i = end;
  while (i > 0 && ' \t\r\n'.includes(text[i - 1] ?? '')) i -= 1;
  return i;
}

function scalarBefore(text: string, end: number): number | undefined {
  if (text[end - 1] === '"') return stringBefore(text, end);
  let start = end;
  while (start > 0 && /[-+.\w]/.test(text[start - 1] ?? '')) start -= 1;
  // What reaches the beginning of the excerpt may have begun before it.
  return start === end || start === 0 ? undefined : start;
}

/** Where the string that ends before `end` opens. */
function stringBefore(text: string, end: number): number | undefined {
  for (let open = text.lastIndexOf('"', end - 2); open > 0; open = text.lastIndexOf('"', open - 1)) {
    let first = open;
    while (first > 0 && text[first - 1] === '\\') first -= 1;
    if ((open - first) % 2 === 0) return open;
  }
  return undefined;
}
