// One Server-Sent Events stream towards a host: numbered events, a log of them for resumption, the current connection.
import type { ServerResponse } from 'node:http';
import { oneLine } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import { SSE_COMMENT, SSE_HEADERS, sseText } from '../text/sse.ts';
import type { Backlog } from './backlog.ts';
import type { HostStream } from './host-stream.ts';

interface Event {
  readonly number: number;
  readonly text: string;
  readonly keep: boolean;
}

export interface SseOptions {
  /** Unique among all streams of the server, so that an event id names one stream only; without `-`. */
  readonly id: string;
  /** Starts with an event without data, so that a host can resume before anything was sent (2025-11-25 on). */
  readonly primed: boolean;
  /** How many characters of events are kept for resumption; the newest event is kept whatever its size. */
  readonly capacity: number;
  /** Of the host that it goes to. */
  readonly backlog: Backlog;
  /** Called when a host that does not read is cut off. */
  readonly onCut: () => void;
  /** Called whenever the stream loses its connection before it ended. */
  readonly onLost?: () => void;
}

const KEPT_EVENTS = 1000;
/** How soon a host should come back for a stream that it lost, in milliseconds; a question may wait on it. */
const RETRY = 1000;

/** basic/transports, "Resumability and Redelivery": event ids are `<stream>-<number>`. */
export class SseStream implements HostStream {
  readonly id: string;
  readonly #options: SseOptions;
  #log: Event[] = [];
  #size = 0;
  #last = 0;
  #response: ServerResponse | undefined;
  #ended = false;

  constructor(options: SseOptions) {
    this.id = options.id;
    this.#options = options;
  }

  get open(): boolean {
    return this.#response !== undefined && !this.#ended;
  }

  /** Whether the host has an event id to resume with. */
  get resumable(): boolean {
    return this.#options.primed || this.#last > 0;
  }

  /** Whether it has carried everything it ever will. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether there is a connection to write to, ended or not. */
  get connected(): boolean {
    return this.#response !== undefined;
  }

  /** Characters held for resumption. */
  get size(): number {
    return this.#size;
  }

  /** Whether a host that has seen event `number` can go on from here; not when nothing is left to say. */
  resumableAfter(number: number): boolean {
    return number <= this.#last && !(this.#ended && number === this.#last);
  }

  /** Carries on over `response`: from the start, or after the event that the host saw last. */
  attach(response: ServerResponse, after?: number): void {
    if (response.destroyed) return;
    const before = this.#response;
    this.#response = response;
    before?.end();
    response.on('close', () => {
      if (this.#response !== response) return;
      this.#response = undefined;
      if (!this.#ended) this.#options.onLost?.();
    });
    response.writeHead(200, SSE_HEADERS);
    if (after === undefined && this.#options.primed)
      response.write(sseText({ id: `${this.id}-0`, retry: RETRY, data: '' }));
    else response.flushHeaders();
    for (const event of this.#log) if (event.number > (after ?? 0)) this.#write(event);
    if (this.#ended) response.end();
  }

  send(text: JsonText, keep: boolean): boolean {
    if (this.#ended) return false;
    if (!keep && this.#response !== undefined && !this.#options.backlog.hasRoom(this.#response)) return false;
    this.#last += 1;
    const event = { number: this.#last, text: oneLine(text), keep };
    this.#log.push(event);
    this.#size += event.text.length;
    this.#trim();
    this.#write(event);
    return true;
  }

  whenRoom(then: () => void): void {
    if (this.#response !== undefined) this.#options.backlog.whenRoom(this.#response, then);
  }

  beat(): void {
    if (this.open) this.#response?.write(SSE_COMMENT);
  }

  /** Nothing follows. The log stays for a host that lost the connection. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#response?.end();
  }

  #write(event: Event): void {
    const response = this.#response;
    if (response === undefined) return;
    const { backlog, onCut } = this.#options;
    // A reader that far behind is cut off rather than buffered for without end; it can resume from the log.
    if (backlog.isOver(response)) {
      onCut();
      response.destroy();
    } else {
      const id = `${this.id}-${event.number}`;
      backlog.write(response, sseText({ id, event: 'message', data: event.text }));
    }
  }

  #trim(): void {
    while (this.#log.length > 1 && (this.#log.length > KEPT_EVENTS || this.#size > this.#options.capacity)) {
      const newest = this.#log.length - 1;
      const index = this.#log.findIndex((event, at) => !event.keep && at < newest);
      const [gone] = this.#log.splice(Math.max(index, 0), 1);
      this.#size -= gone?.text.length ?? 0;
    }
  }
}
