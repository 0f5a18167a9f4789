// One request of a host in flight: what the relay sees of it, and the lane its messages take.
import { McpxError } from '../errors.ts';
import { notificationText } from '../protocol/message.ts';
import type { JsonText, Request } from '../protocol/types.ts';
import type { Lane } from './lane.ts';
import type { Exchange } from './types.ts';

export class ServedExchange implements Exchange {
  readonly method: string;
  readonly params: JsonText | undefined;
  readonly streams: boolean;
  readonly signal: AbortSignal;
  readonly lane: Lane;
  /** Resolves when the request is given up, so that its response is not waited for. */
  readonly abandoned: Promise<undefined>;
  readonly #aborting = new AbortController();
  #abandon: () => void = () => {};
  #finished = false;

  constructor(request: Request, lane: Lane, streams: boolean) {
    this.method = request.method;
    this.params = request.params;
    this.lane = lane;
    this.streams = streams;
    this.signal = this.#aborting.signal;
    this.abandoned = new Promise((resolve) => {
      this.#abandon = () => resolve(undefined);
    });
  }

  /** Whether its response is decided; nothing may go out ahead of it any more. */
  get finished(): boolean {
    return this.#finished;
  }

  notify(method: string, params: JsonText | undefined): void {
    if (this.streams && !this.#finished) this.lane.send(notificationText(method, params), false);
  }

  finish(): void {
    this.#finished = true;
  }

  /** Gives the request up: the host cancelled it, or its session is over. `reason` is a sentence. */
  abort(reason: string): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#aborting.abort(new McpxError('interrupted', reason));
    this.#abandon();
  }
}
