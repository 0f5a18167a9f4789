// What a url question has beside a form: an id under which it is completed, and a -32042 where it cannot be put inline.
import { member, stringOf } from '../../protocol/json-text.ts';
import type { JsonText } from '../../protocol/types.ts';
import type { UpstreamNotification } from '../../upstream/types.ts';
import type { Attribution, Channel } from '../channels/channel.ts';
import { type AskedUrl, knowsUrlErrors } from './asked-urls.ts';
import type { BlockedUrls } from './blocked-urls.ts';

export class QuestionUrl {
  readonly #server: string;
  readonly #owner: Attribution;
  readonly #asked: AskedUrl | undefined;
  /** Where its host is told of it by -32042 when it cannot be asked; undefined where that means nothing to it. */
  readonly #blocked: BlockedUrls | undefined;
  readonly #known: () => void;
  #unblock: (() => void) | undefined;
  #closed = false;

  /**
   * `elicitationId` is the upstream's own, if its revision has one; with `brokerOn` false nothing waits that a host
   * could come back for.
   */
  constructor(channel: Channel, owner: Attribution, elicitationId: string | undefined, brokerOn: boolean) {
    this.#server = channel.server;
    this.#owner = owner;
    this.#asked = elicitationId === undefined ? undefined : channel.urls.ask(elicitationId);
    this.#blocked = brokerOn ? owner.call?.context.blocked : undefined;
    this.#known = this.#blocked?.coming() ?? (() => {});
  }

  opened(rowId: string): void {
    this.#asked?.opened(rowId);
  }

  /** The host has just been sent the question, under the row's id. */
  given(rowId: string): void {
    this.#known();
    const { host } = this.#owner;
    if (host && knowsUrlErrors(host.session.facts)) this.#asked?.give(host, rowId);
  }

  /** It waits, and its host cannot be asked; `params` is what the host would have been sent. */
  block(rowId: string, params: JsonText | undefined): void {
    const { host } = this.#owner;
    if (this.#blocked && !this.#closed && host && params !== undefined) {
      const told = (): void => this.#asked?.give(host, rowId);
      this.#unblock ??= this.#blocked.add(rowId, { server: this.#server, params, told });
    }
    this.#known();
  }

  close(): void {
    this.#closed = true;
    this.#unblock?.();
    this.#known();
  }
}

/** Takes the notice for the connection it came on; one without a known id is ignored, as the specification asks. */
export function completeUrl(channel: Channel, { params }: UpstreamNotification): void {
  const id = params === undefined ? undefined : stringOf(member(params, 'elicitationId'));
  if (id !== undefined) channel.urls.complete(id);
}
