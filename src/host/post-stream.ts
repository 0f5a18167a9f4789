// The response to one POST: plain JSON, unless something has to go out ahead of the response, or the host would rather
// have a stream; then it is one.
import type { ServerResponse } from 'node:http';
import { arrayText, member } from '../protocol/json-text.ts';
import { replyText } from '../protocol/message.ts';
import type { JsonText } from '../protocol/types.ts';
import type { Backlog } from './backlog.ts';
import type { HostStream } from './host-stream.ts';
import { beginJson, type Refusal, sendEmpty, sendRefusal, UNREAD } from './http-answers.ts';
import type { Accepts } from './http-headers.ts';
import type { SseStream } from './sse-stream.ts';

export interface PostOptions {
  readonly response: ServerResponse;
  readonly accepts: Accepts;
  readonly batch: boolean;
  readonly openStream: () => SseStream;
  /** Of the host that it goes to. */
  readonly backlog: Backlog;
  /** Told once the response has become a stream. */
  readonly onStream: (stream: SseStream) => void;
}

export class PostStream implements HostStream {
  readonly #options: PostOptions;
  readonly #responses: JsonText[] = [];
  #stream: SseStream | undefined;
  #answered = false;

  constructor(options: PostOptions) {
    this.#options = options;
    const { json, stream, streamFirst } = options.accepts;
    if (stream && (!json || streamFirst)) this.#begin();
  }

  get open(): boolean {
    if (this.#answered || !this.#options.accepts.stream) return false;
    return this.#stream === undefined ? !this.#options.response.destroyed : this.#stream.open;
  }

  /** The stream it has become, if it has. */
  get stream(): SseStream | undefined {
    return this.#stream;
  }

  /** Whether a message would reach the host at the latest when it resumes. */
  get carries(): boolean {
    return this.open || (this.#stream?.resumable === true && !this.#answered);
  }

  send(text: JsonText, keep: boolean): boolean {
    if (!this.carries) return false;
    return this.#begin().send(text, keep);
  }

  whenRoom(then: () => void): void {
    this.#stream?.whenRoom(then);
  }

  /** Sends the response of one request of this POST; those of a batch are held until `finish` unless it streams. */
  respond(text: JsonText): void {
    if (this.#stream === undefined) this.#responses.push(text);
    else this.#stream.send(text, true);
  }

  /** All requests of this POST are done: its response ends, with nothing in it where none has a response. */
  finish(): void {
    if (this.#answered) return;
    this.#answered = true;
    if (this.#stream !== undefined) this.#stream.end();
    else if (!this.#options.response.destroyed) this.#finishPlain();
  }

  /** Its session is over: what was not answered yet is refused, a stream just ends. */
  abandon(refusal: Refusal): void {
    if (this.#answered) return;
    this.#answered = true;
    if (this.#stream !== undefined) this.#stream.end();
    else if (!this.#options.response.destroyed) sendRefusal(this.#options.response, refusal);
  }

  /** Keeps a stream alive; a response that has been outstanding for long becomes one for that (C14). */
  beat(): void {
    if (this.open) this.#begin().beat();
  }

  #finishPlain(): void {
    const { response, batch, accepts, backlog } = this.#options;
    const [first] = this.#responses;
    if (first !== undefined) {
      const whole = batch ? arrayText(this.#responses) : first;
      const text = backlog.refuses(response, whole) ? this.#refused(first) : whole;
      beginJson(response, 200, text);
      backlog.end(response, text);
    } else if (accepts.stream) response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
    else sendEmpty(response, 202);
  }

  #refused(first: JsonText): JsonText {
    return this.#options.batch ? arrayText(this.#responses.map(unread)) : unread(first);
  }

  #begin(): SseStream {
    if (this.#stream === undefined) {
      this.#stream = this.#options.openStream();
      this.#stream.attach(this.#options.response);
      this.#options.onStream(this.#stream);
      for (const text of this.#responses.splice(0)) this.#stream.send(text, true);
    }
    return this.#stream;
  }
}

/** The response that says so of one that is not sent, for want of a reader. */
function unread(text: JsonText): JsonText {
  return replyText(member(text, 'id') ?? 'null', UNREAD);
}
