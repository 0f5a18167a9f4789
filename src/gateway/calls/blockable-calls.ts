// Calls whose host can be told of URLs by -32042: they go on without it, and the same request takes them up again (ELI-12).
import type { Clock } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import type { Exchange } from '../../host/types.ts';
import { canonical, withoutMembers } from '../../protocol/json-text.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import { urlRequiredReply } from '../../protocol/url-required.ts';
import { type BlockedUrl, BlockedUrls } from '../questions/blocked-urls.ts';
import type { Requester } from '../requesters.ts';
import type { RequestContext } from './call.ts';
import { ParkableCall } from './parkable-call.ts';
import type { ParkedCalls } from './parked-calls.ts';
import { progressOf } from './progress.ts';

export interface BlockableOptions {
  readonly parked: ParkedCalls;
  readonly clock: Clock;
  /** Milliseconds that a parked call waits for its host to come back, and its outcome too (`elicit.ttl`). */
  readonly ttl: number;
  /** Serves a request; may reject. */
  readonly serve: (context: RequestContext) => Promise<Reply>;
  /** What the host gets for what `serve` rejected with. */
  readonly spell: (host: Requester, failure: unknown) => Reply;
}

type BlockableCall = ParkableCall<readonly BlockedUrl[]>;

/** The requests of hosts that know -32042, as far as a question may interrupt them. */
export class BlockableCalls {
  readonly #options: BlockableOptions;

  constructor(options: BlockableOptions) {
    this.#options = options;
  }

  /**
   * The outcome of the call that the request makes or takes up, or -32042 as soon as a URL question of it can be shown to
   * the host in no other way. Then the call is parked under session, method and parameters. Rejects with the reason of
   * the request's signal.
   */
  async serve(host: Requester, exchange: Exchange): Promise<Reply> {
    const { parked, ttl } = this.#options;
    const call = this.#parkedAs(host, exchange) ?? this.#begin(host, exchange);
    const interim = await call.attach(exchange, progressOf(host.session.facts, exchange));
    if ('reply' in interim) {
      parked.forget(call);
      return interim.reply;
    }
    const expire = (): void =>
      call.cut(new McpxError('timeout', 'the host did not come back for this call within elicit.ttl'));
    parked.keep(call, ttl, { key: keyOf(host, exchange), onExpiry: expire });
    return replyFor(interim.first);
  }

  #parkedAs(host: Requester, exchange: Exchange): BlockableCall | undefined {
    const { parked } = this.#options;
    if (!parked.hasKeys) return undefined;
    // A key is given to blockable calls alone.
    const same = parked.withKey(keyOf(host, exchange)) as readonly BlockableCall[];
    // Of several, one that nobody waits for; else the newest, which then has two that wait.
    const call = same.find(({ awaited }) => !awaited) ?? same.at(-1);
    if (call !== undefined) parked.stopExpiry(call);
    return call;
  }

  #begin(host: Requester, exchange: Exchange): BlockableCall {
    const { parked, clock, serve, spell } = this.#options;
    const blocked = new BlockedUrls(clock);
    const call: BlockableCall = new ParkableCall({
      principal: host.session.facts.principal,
      parking: parked,
      interruptions: blocked,
      request: exchange,
    });
    const context: RequestContext = {
      host,
      exchange: call.exchange,
      progress: call.progress,
      open: () => (call.awaited ? call.newest : undefined),
      blocked,
    };
    void call
      .run(
        () => serve(context),
        (failure) => spell(host, failure),
      )
      .then(() => {
        // What mcpx itself made of a call that failed is no outcome to come back for: the next request tries again.
        if (call.failure !== undefined) parked.forget(call);
      });
    return call;
  }
}

function replyFor(urls: readonly BlockedUrl[]): Reply {
  const servers = [...new Set(urls.map(({ server }) => server))].join(', ');
  const what = urls.length === 1 ? 'a URL' : `${urls.length} URLs`;
  return urlRequiredReply(
    `${servers} needs you to open ${what} first: consent with "mcpx elicit accept", and send this request again`,
    urls.map(({ params }) => params),
  );
}

/** The retry may carry another progress token, and the same arguments in another spelling. */
function keyOf(host: Requester, { method, params }: Exchange): string {
  const salient: JsonText = params === undefined ? '{}' : canonical(withoutMembers(params, ['_meta']));
  return `${host.session.id} ${method} ${salient}`;
}
