// One request of a stateless host while it is served.
import { isSevere, levelIn } from '../../protocol/log-level.ts';
import type { JsonText, Request } from '../../protocol/types.ts';
import type { HostStream } from '../host-stream.ts';
import { ServedExchange } from '../served-exchange.ts';
import type { HostFacts, StatelessRequest } from '../types.ts';
import type { Envelope } from './envelope.ts';

export class StatelessExchange extends ServedExchange implements StatelessRequest {
  readonly id: JsonText;
  readonly facts: HostFacts;
  readonly inputResponses: JsonText | undefined;
  readonly requestState: string | undefined;
  readonly logLevel: string | undefined;

  constructor({ id, method }: Request, envelope: Envelope, stream: HostStream, streams: boolean) {
    super({ kind: 'request', id, method, params: envelope.params }, stream, streams);
    this.id = id;
    this.facts = envelope.facts;
    this.inputResponses = envelope.inputResponses;
    this.requestState = envelope.requestState;
    this.logLevel = envelope.logLevel;
  }

  /** Log messages go out only from the level on that this very request named (server/utilities/logging). */
  override notify(method: string, params: JsonText | undefined): void {
    if (method === 'notifications/message' && !this.#wants(params)) return;
    super.notify(method, params);
  }

  #wants(params: JsonText | undefined): boolean {
    const level = levelIn(params);
    return this.logLevel !== undefined && level !== undefined && isSevere(level, this.logLevel);
  }
}
