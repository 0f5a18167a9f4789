// The response to one POST of a stateless host: plain JSON, unless something has to go out before; then it is a stream.
import type { ServerResponse } from 'node:http';
import type { Clock, Timer } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { oneLine } from '../../protocol/json-text.ts';
import { replyText } from '../../protocol/message.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import { SSE_COMMENT, SSE_HEADERS, sseText } from '../../text/sse.ts';
import type { Backlog } from '../backlog.ts';
import type { HostStream } from '../host-stream.ts';
import { beginJson, UNREAD } from '../http-answers.ts';
import type { Accepts } from '../http-headers.ts';
import type { Flow } from '../types.ts';

export interface ResponseOptions {
  readonly response: ServerResponse;
  readonly accepts: Accepts;
  readonly clock: Clock;
  readonly log: Log;
  /** Of the host that it goes to. */
  readonly backlog: Backlog;
}

/** The pace of keep-alive comments; milliseconds (docs/relay.md, "Asking the host"). */
const BEAT = 15_000;

/** No event ids: the streams of 2026-07-28 cannot be resumed (basic/transports/streamable-http, "Receiving Messages"). */
export class ResponseStream implements HostStream {
  readonly flow: Flow;
  readonly #options: ResponseOptions;
  #streaming = false;
  #answered = false;
  #timer: Timer;

  constructor(options: ResponseOptions) {
    this.#options = options;
    this.flow = flowOf(options);
    this.#timer = this.#beat();
  }

  get open(): boolean {
    return this.#options.accepts.stream && !this.#over;
  }

  get #over(): boolean {
    const { response } = this.#options;
    return this.#answered || response.writableEnded || response.destroyed;
  }

  /**
   * To a host that is far behind nothing is sent but what must be kept, and where there is too much of that the stream
   * is cut.
   */
  send(text: JsonText, keep: boolean): boolean {
    const { response, log, backlog } = this.#options;
    if (!this.open || (!keep && !backlog.hasRoom(response))) return false;
    if (backlog.isOver(response)) {
      const why =
        'a stream was cut: the host does not read it, and more waits for it than limits.frameBytes allows';
      log.warn({ waiting: response.writableLength }, why);
      response.destroy();
      return false;
    }
    this.#begin();
    backlog.write(response, sseText({ event: 'message', data: oneLine(text) }));
    return true;
  }

  whenRoom(then: () => void): void {
    this.#options.backlog.whenRoom(this.#options.response, then);
  }

  /** Sends the response to the request `id`, and ends. The status is told only where nothing went out before. */
  respond(status: number, id: JsonText, reply: Reply): void {
    this.#timer.cancel();
    const { response, accepts, backlog } = this.#options;
    if (this.#over) return;
    this.#answered = true;
    const whole = replyText(id, reply);
    const text = backlog.refuses(response, whole) ? replyText(id, UNREAD) : whole;
    // A refusal is told by its status, which a stream has no place for.
    const plain = status !== 200 || (accepts.json && !accepts.streamFirst);
    if (plain && !this.#streaming) {
      beginJson(response, status, text);
      backlog.end(response, text);
    } else {
      this.#begin();
      backlog.end(response, sseText({ event: 'message', data: oneLine(text) }));
    }
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

/** The flow of its host, listened to for as long as the response is there. */
function flowOf({ response, backlog }: ResponseOptions): Flow {
  const leave: (() => void)[] = [];
  response.once('close', () => {
    for (const one of leave.splice(0)) one();
  });
  return {
    get full() {
      return backlog.full;
    },
    reader: backlog,
    onChange(listener) {
      if (!response.closed) leave.push(backlog.onChange(listener));
    },
  };
}
