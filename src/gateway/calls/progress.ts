// Progress of one call towards its host: the upstream's own, and mcpx's keep-alives while a question is open.
import type { Exchange, HostFacts } from '../../host/types.ts';
import { isToken } from '../../protocol/ids.ts';
import { json, jsonOf, member, quote, read, withMember } from '../../protocol/json-text.ts';
import { paramsOf } from '../../protocol/params.ts';
import { spellNotification } from '../../protocol/spell-message.ts';
import type { JsonText } from '../../protocol/types.ts';

/** The smallest step a keep-alive makes, so that an upstream's real progress is hardly ever overtaken. */
const STEP = 1e-6;

/** Where progress of a call goes. */
export interface ProgressSink {
  /** Passes an upstream's progress on. */
  relay(params: JsonText): void;
  /** Tells that the call lives. */
  keepAlive(message: string): void;
}

/**
 * Keeps the highest value sent for one `progressToken`: progress must only grow (basic/utilities/progress), whoever
 * sends it. An upstream's value that is not above it is dropped.
 */
export class Progress implements ProgressSink {
  readonly #token: JsonText;
  readonly #send: (params: JsonText) => void;
  #highest = Number.NEGATIVE_INFINITY;

  /** `token` is the host's own, as JSON text; `send` takes the params of `notifications/progress`. */
  constructor(token: JsonText, send: (params: JsonText) => void) {
    this.#token = token;
    this.#send = send;
  }

  /** Passes an upstream's progress on under the host's token. */
  relay(params: JsonText): void {
    const text = member(params, 'progress');
    const value = text === undefined ? Number.NaN : Number(read(text));
    if (!(value > this.#highest)) return;
    this.#highest = value;
    this.#send(withMember(params, 'progressToken', this.#token));
  }

  /** Tells the host that the call lives, in the next larger number. */
  keepAlive(message: string): void {
    const value = this.#highest === Number.NEGATIVE_INFINITY ? 0 : next(this.#highest);
    this.#highest = value;
    this.#send(
      json`{"progressToken":${this.#token},"progress":${jsonOf(value)},"message":${quote(message)}}`,
    );
  }
}

/** The progress of a request of a host, if it gave a `progressToken`. */
export function progressOf({ revision }: HostFacts, exchange: Exchange): Progress | undefined {
  const token = paramsOf(exchange)?.at(['_meta', 'progressToken']);
  // Anything else is no token, and would be refused by the host that it is sent back to.
  if (token === undefined || !isToken(token)) return undefined;
  return new Progress(token, (own) => {
    const spelled = spellNotification(revision, METHOD, own);
    if (spelled !== undefined && !exchange.signal.aborted) exchange.notify(METHOD, spelled);
  });
}

const METHOD = 'notifications/progress';

function next(value: number): number {
  const more = value + STEP;
  // Far from zero the step is lost in rounding; the smallest relative step is not.
  return more > value ? more : value + Math.abs(value) * Number.EPSILON * 2;
}
