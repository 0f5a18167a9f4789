// Server-sent events out of bytes: characters cut between chunks, all three line ends, and a bound on one event.
import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';

export interface SseHandlers {
  onEvent(event: EventSourceMessage): void;
  /** The server asks to wait this many milliseconds before a new connection. */
  onRetry(ms: number): void;
}

export class SseReader {
  readonly #decoder = new StringDecoder('utf8');
  readonly #parser: EventSourceParser;
  #first = true;
  #afterReturn = false;
  #tooLarge = false;

  /** `limit` bounds one event, in characters. */
  constructor(limit: number, handlers: SseHandlers) {
    this.#parser = createParser({
      maxBufferSize: limit,
      onEvent: handlers.onEvent,
      onRetry: handlers.onRetry,
      onError: (error) => {
        // Unknown fields are to be ignored (WHATWG HTML, "Interpreting an event stream").
        if (error.type === 'max-buffer-size-exceeded') this.#tooLarge = true;
      },
    });
  }

  /** Returns false when an event is over the limit; the stream is then of no more use. */
  push(chunk: Buffer): boolean {
    const text = this.#lineFeeds(this.#decoder.write(chunk));
    if (text !== '') this.#parser.feed(text);
    return !this.#tooLarge;
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
