// One request of a host in flight: what the relay sees of it, and the stream its messages take.
import { setMaxListeners } from 'node:events';
import { McpxError } from '../errors.ts';
import { notificationText } from '../protocol/message.ts';
import { shareParams } from '../protocol/params.ts';
import type { JsonText, Request } from '../protocol/types.ts';
import type { HostStream } from './host-stream.ts';
import type { Exchange, Flow } from './types.ts';

export class ServedExchange implements Exchange {
  readonly method: string;
  readonly params: JsonText | undefined;
  readonly streams: boolean;
  readonly stream: HostStream;
  readonly flow?: Flow;
  /** Made when it is first asked for: many requests are answered before anybody could cancel them. */
  #aborting: AbortController | undefined;
  #abandon: () => void = () => {};
  #reason: McpxError | undefined;
  #finished = false;

  constructor(request: Request, stream: HostStream, streams: boolean) {
    this.method = request.method;
    this.params = request.params;
    shareParams(request, this);
    this.stream = stream;
    if (stream.flow !== undefined) this.flow = stream.flow;
    this.streams = streams;
  }

  get signal(): AbortSignal {
    if (this.#aborting === undefined) {
      this.#aborting = new AbortController();
      setMaxListeners(0, this.#aborting.signal);
      if (this.#reason !== undefined) this.#aborting.abort(this.#reason);
    }
    return this.#aborting.signal;
  }

  /** Whether it was given up. */
  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  /** Whether its response is decided; nothing may go out ahead of it any more. */
  get finished(): boolean {
    return this.#finished;
  }

  notify(method: string, params: JsonText | undefined): void {
    if (this.streams && !this.#finished) this.stream.send(notificationText(method, params), false);
  }

  /** What `work`, which must not reject, comes to; undefined, at once, when the request is given up before. */
  async outcome<T>(work: Promise<T>): Promise<T | undefined> {
    const outcome = await new Promise<T | undefined>((resolve) => {
      if (this.aborted) resolve(undefined);
      this.#abandon = () => resolve(undefined);
      void work.then(resolve);
    });
    this.#finished = true;
    return outcome;
  }

  /** Gives the request up: the host cancelled it, or its session is over. A text is a sentence that says why. */
  abort(reason: string | McpxError): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#reason = typeof reason === 'string' ? new McpxError('interrupted', reason) : reason;
    this.#aborting?.abort(this.#reason);
    this.#abandon();
  }
}
