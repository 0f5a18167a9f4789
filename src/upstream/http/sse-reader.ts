// Server-sent events out of bytes: characters cut between chunks, all three line ends, and a bound on one event.
import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import { Excerpt, FAR_TOO_LONG, type Overlong, overlong } from '../../protocol/overlong.ts';

export interface SseHandlers {
  onEvent(event: EventSourceMessage): void;
  /** An event over the limit was read to its end and dropped; `id` is its event id where one was seen. */
  onLong(message: Overlong, id: string | undefined): void;
  /** The server asks to wait this many milliseconds before a new connection. */
  onRetry(ms: number): void;
}

export class SseReader {
  readonly #decoder = new StringDecoder('utf8');
  readonly #parser: EventSourceParser;
  readonly #limit: number;
  readonly #handlers: SseHandlers;
  #first = true;
  #afterReturn = false;
  /** Both ends of the event that has begun in an earlier chunk. */
  #begun: Excerpt | undefined;
  #length = 0;
  #endsInLf = false;

  /** `limit` bounds one event, in characters. */
  constructor(limit: number, handlers: SseHandlers) {
    this.#limit = limit;
    this.#handlers = handlers;
    this.#parser = createParser({ onEvent: handlers.onEvent, onRetry: handlers.onRetry });
  }

  /** Returns false when an event is over four times the limit; the stream is then of no more use. */
  push(chunk: Buffer): boolean {
    const text = this.#lineFeeds(this.#decoder.write(chunk));
    let start = 0;
    for (let end = this.#endOfEvent(text, start); end !== -1; end = this.#endOfEvent(text, start)) {
      const piece = text.slice(start, end);
      this.#length += piece.length;
      if (this.#length <= this.#limit) this.#parser.feed(piece);
      else if (this.#farTooLong) return false;
      else this.#drop(piece);
      this.#begun = undefined;
      this.#length = 0;
      start = end;
    }
    if (start < text.length) this.#begin(start === 0 ? text : text.slice(start));
    return !this.#farTooLong;
  }

  get #farTooLong(): boolean {
    return this.#length > FAR_TOO_LONG * this.#limit;
  }

  /** The offset after the blank line that ends the event at `start`; -1 where there is none yet. */
  #endOfEvent(text: string, start: number): number {
    if (start === 0 && this.#begun !== undefined && this.#endsInLf && text.startsWith('\n')) return 1;
    const at = text.indexOf('\n\n', start);
    return at === -1 ? -1 : at + 2;
  }

  /** An event of which this is not the end. */
  #begin(piece: string): void {
    const before = this.#length;
    this.#length += piece.length;
    this.#endsInLf = piece.endsWith('\n');
    this.#begun ??= new Excerpt();
    this.#begun.push(Buffer.from(piece));
    if (this.#length <= this.#limit) this.#parser.feed(piece);
    else if (before <= this.#limit) this.#parser.reset();
  }

  #drop(last: string): void {
    const excerpt = this.#begun ?? new Excerpt();
    excerpt.push(Buffer.from(last));
    this.#parser.reset();
    const { head, tail } = excerpt.ends;
    const start = fieldsOf(head, false);
    const end = fieldsOf(tail, true);
    this.#handlers.onLong(overlong(start.data, end.data), end.id ?? start.id);
  }

  /**
   * All line ends as LF. The parser holds a CR at the end of a chunk back until it knows what follows, so that an
   * event that ends in CR CR would not be seen before the next one.
   */
  #lineFeeds(decoded: string): string {
    let text = decoded;
    if (text === '') return text;
    if (this.#first) {
      this.#first = false;
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    if (this.#afterReturn && text.startsWith('\n')) text = text.slice(1);
    this.#afterReturn = decoded.endsWith('\r');
    return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
  }
}

/** The data in a part of an event, and its id; a part that begins anywhere may begin inside a line of data. */
function fieldsOf(
  part: string,
  anywhere: boolean,
): { readonly data: string; readonly id: string | undefined } {
  let id: string | undefined;
  const data: string[] = [];
  for (const [index, line] of part.split('\n').entries()) {
    const [, field, value = ''] = /^(data|id|event|retry|): ?(.*)$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'id') id = value;
    else if (field === undefined && index === 0 && anywhere) data.push(line);
  }
  return { data: data.join('\n'), id };
}
