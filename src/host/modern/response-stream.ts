// The response to one POST of a stateless host: plain JSON, unless something has to go out before; then it is a stream.
import type { ServerResponse } from 'node:http';
import type { Clock, Timer } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { oneLine } from '../../protocol/json-text.ts';
import type { JsonText } from '../../protocol/types.ts';
import { SSE_COMMENT, SSE_HEADERS, sseText } from '../../text/sse.ts';
import { Backlog } from '../backlog.ts';
import type { HostStream } from '../host-stream.ts';
import { sendJson } from '../http-answers.ts';
import type { Accepts } from '../http-headers.ts';
import type { Unread } from './unread.ts';

export interface ResponseOptions {
  readonly response: ServerResponse;
  readonly accepts: Accepts;
  /** Characters that may wait for a host that reads slowly. */
  readonly capacity: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Of the principal that it goes to. */
  readonly unread: Unread;
}

/** The pace of keep-alive comments; milliseconds (docs/relay.md, "Asking the host"). */
const BEAT = 15_000;

/** No event ids: the streams of 2026-07-28 cannot be resumed (basic/transports/streamable-http, "Receiving Messages"). */
export class ResponseStream implements HostStream {
  readonly flow: Backlog;
  readonly #options: ResponseOptions;
  #streaming = false;
  #timer: Timer;

  constructor(options: ResponseOptions) {
    this.#options = options;
    this.flow = new Backlog(options.capacity);
    this.#timer = this.#beat();
  }

  get open(): boolean {
    const { response, accepts } = this.#options;
    return accepts.stream && !response.writableEnded && !response.destroyed;
  }

  /**
   * To a host that is far behind nothing is sent but what must be kept, and where there is too much of that the stream
   * is cut.
   */
  send(text: JsonText, keep: boolean): boolean {
    const { response, log } = this.#options;
    if (!this.open || (!keep && !this.flow.hasRoom(response))) return false;
    if (this.flow.isOver(response)) {
      const why =
        'a stream was cut: the host does not read it, and more waits for it than limits.frameBytes allows';
      log.warn({ waiting: response.writableLength }, why);
      response.destroy();
      return false;
    }
    this.#begin();
    this.flow.write(response, sseText({ event: 'message', data: oneLine(text) }));
    return true;
  }

  whenRoom(then: () => void): void {
    this.flow.whenRoom(this.#options.response, then);
  }

  /** Sends the response, and ends. The status is told only where nothing went out before. */
  respond(status: number, text: JsonText): void {
    this.#timer.cancel();
    const { response, accepts, unread } = this.#options;
    if (response.writableEnded || response.destroyed) return;
    // A refusal is told by its status, which a stream has no place for.
    const plain = status !== 200 || (accepts.json && !accepts.streamFirst);
    if (plain && !this.#streaming) {
      sendJson(response, status, text);
    } else {
      this.#begin();
      response.end(sseText({ event: 'message', data: oneLine(text) }));
    }
    unread.add(response, text.length);
  }

  /** Ends a stream without (another) response; false where it has not become one. */
  end(): boolean {
    this.#timer.cancel();
    if (this.#streaming) this.#options.response.end();
    return this.#streaming;
  }

  /** Keeps the response alive; one that has been outstanding for long becomes a stream for that (C14). */
  #beat(): Timer {
    return this.#options.clock.after(BEAT, () => {
      if (!this.open) return;
      this.#begin();
      this.#options.response.write(SSE_COMMENT);
      this.#timer = this.#beat();
    });
  }

  #begin(): void {
    if (this.#streaming) return;
    this.#streaming = true;
    this.#options.response.writeHead(200, SSE_HEADERS);
  }
}
