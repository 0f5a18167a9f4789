// A host session over Streamable HTTP: its streams, the POSTs that are open, and which of them carries what.
import type { ServerResponse } from 'node:http';
import { RPC } from '../protocol/message.ts';
import { atLeast } from '../protocol/revisions.ts';
import type { JsonText } from '../protocol/types.ts';
import { Backlog } from './backlog.ts';
import type { HostStream } from './host-stream.ts';
import { Refusal } from './http-answers.ts';
import { LegacySession, type SessionOptions } from './legacy-session.ts';
import { type PostOptions, PostStream } from './post-stream.ts';
import { SseStream } from './sse-stream.ts';

/** How long the log of a stream is kept after it ended well, or after its connection was lost; milliseconds. */
const KEEP_DELIVERED = 60_000;
const KEEP_LOST = 600_000;
/** How many streams without a connection are kept; those that nobody came back for go first. */
const MOST_KEPT = 64;

export interface HttpSessionOptions extends Omit<SessionOptions, 'streamFor' | 'standing' | 'keep' | 'flow'> {
  /** What the host sends as `Mcp-Session-Id`: knowing it is being that host. */
  readonly key: string;
  /** The monotonic clock. */
  readonly now: () => number;
  /** Makes stream ids that no other stream of this server has. */
  readonly nextStreamId: () => string;
  /** Characters of events kept for resumption: per stream, and of all ended streams of the session. */
  readonly capacity: number;
}

export class HttpSession {
  readonly session: LegacySession;
  readonly key: string;
  readonly #options: HttpSessionOptions;
  /** In the order in which they came. */
  readonly #posts = new Set<PostStream>();
  readonly #gets = new Set<SseStream>();
  /** Every stream that can be resumed. */
  readonly #streams = new Map<string, SseStream>();
  /** When the log of a stream without a connection is dropped. */
  readonly #expiries = new Map<SseStream, number>();
  readonly #held: HeldNotices;
  readonly #backlog: Backlog;
  #seen: number;
  #beaten = new Set<PostStream>();

  constructor(options: HttpSessionOptions) {
    this.#options = options;
    this.key = options.key;
    this.#seen = options.now();
    this.#held = new HeldNotices(options.now);
    this.#backlog = new Backlog(options.capacity);
    this.session = new LegacySession({
      ...options,
      flow: this.#backlog,
      streamFor: (via) => this.#streamFor(via),
      standing: () => newest(this.#gets),
      keep: (text, ms) => {
        this.#held.add(text, ms);
        const streaming = [...this.#posts].reverse().find((post) => post.stream?.open === true);
        if (streaming !== undefined) this.#held.flush(streaming);
      },
    });
  }

  /** Notes that the host was heard of. */
  touch(): void {
    this.#seen = this.#options.now();
  }

  /** Since when nothing has happened on it, in milliseconds of `now`; undefined while something is open. */
  get idleSince(): number | undefined {
    const busy = this.#posts.size > 0 || this.session.openRequests > 0 || newest(this.#gets) !== undefined;
    return busy ? undefined : this.#seen;
  }

  /** Opens the stream for the responses of one POST; `closePost` ends it. */
  openPost(options: Omit<PostOptions, 'openStream' | 'onStream' | 'backlog'>): PostStream {
    const post = new PostStream({
      ...options,
      backlog: this.#backlog,
      openStream: () => this.#open(),
      onStream: (stream) => this.#held.flush(stream),
    });
    this.#posts.add(post);
    return post;
  }

  closePost(post: PostStream): void {
    const { stream } = post;
    const keepFor = stream?.connected === true ? KEEP_DELIVERED : KEEP_LOST;
    post.finish();
    this.#posts.delete(post);
    this.touch();
    if (stream !== undefined && !this.session.ended.aborted) this.#retire(stream, keepFor);
  }

  /** Opens a stream of the session's own: a GET without `Last-Event-ID`. The newest one carries what comes. */
  listen(response: ServerResponse): void {
    const stream = this.#open();
    this.#gets.add(stream);
    stream.attach(response);
    this.#held.flush(stream);
  }

  /** Carries on with the stream that `lastEventId` names. False where this session has nothing (more) to say on it. */
  resume(response: ServerResponse, lastEventId: string): boolean {
    const [, id = '', number = ''] = /^([^-]+)-(\d{1,15})$/.exec(lastEventId) ?? [];
    const stream = this.#streams.get(id);
    if (stream === undefined || !stream.resumableAfter(Number(number))) return false;
    if (!stream.ended) this.#expiries.delete(stream);
    stream.attach(response, Number(number));
    this.#held.flush(stream);
    return true;
  }

  /** Runs at a steady pace: keeps streams alive, and drops logs that nobody came back for. */
  tick(): void {
    for (const stream of this.#streams.values()) stream.beat();
    // A POST becomes a stream once it has been silent for a whole interval, not before.
    for (const post of this.#posts) if (post.stream === undefined && this.#beaten.has(post)) post.beat();
    this.#beaten = new Set(this.#posts);
    const now = this.#options.now();
    for (const [stream, at] of this.#expiries) if (at <= now) this.#forget(stream);
  }

  /** Ends the session; `reason` is a sentence. Its streams end, and a POST that has no response yet is refused. */
  end(reason: string, status = 404): void {
    this.session.end(reason);
    for (const post of this.#posts) post.abandon(new Refusal(status, RPC.invalidRequest, reason));
    for (const stream of this.#streams.values()) stream.end();
    this.#streams.clear();
    this.#expiries.clear();
  }

  #streamFor(via: HostStream | undefined): HostStream | undefined {
    if (via?.open === true) return via;
    return (
      newest(this.#gets) ??
      newest(this.#posts) ??
      (via instanceof PostStream && via.carries ? via : undefined)
    );
  }

  #open(): SseStream {
    const stream: SseStream = new SseStream({
      id: this.#options.nextStreamId(),
      primed: atLeast(this.session.facts.revision, '2025-11-25'),
      capacity: this.#options.capacity,
      backlog: this.#backlog,
      onCut: () =>
        this.#options.log.warn(
          { session: this.session.id },
          'a stream was cut: the host does not read it, and more waits for it than limits.frameBytes allows; it can be resumed',
        ),
      onLost: () => {
        this.touch();
        // The stream of a POST is needed until the response is on it, however long that takes.
        if (this.#gets.has(stream)) this.#retire(stream, KEEP_LOST);
      },
    });
    this.#streams.set(stream.id, stream);
    return stream;
  }

  #retire(stream: SseStream, keepFor: number): void {
    this.#expiries.set(stream, this.#options.now() + keepFor);
    let held = 0;
    for (const ended of this.#expiries.keys()) held += ended.size;
    // There are never more than a few, so that looking through them costs nothing that matters.
    while (this.#expiries.size > MOST_KEPT || held > this.#options.capacity) {
      const [soonest] = [...this.#expiries]
        .filter(([ended]) => ended !== stream)
        .reduce<(readonly [SseStream, number])[]>(
          (best, one) => ((best[0]?.[1] ?? Infinity) <= one[1] ? best : [one]),
          [],
        );
      if (soonest === undefined) return;
      held -= soonest[0].size;
      this.#forget(soonest[0]);
    }
  }

  #forget(stream: SseStream): void {
    this.#streams.delete(stream.id);
    this.#expiries.delete(stream);
    this.#gets.delete(stream);
  }
}

/** The last open one of a set that is in the order of arrival. */
function newest<L extends HostStream>(streams: ReadonlySet<L>): L | undefined {
  let found: L | undefined;
  for (const stream of streams) if (stream.open) found = stream;
  return found;
}

/** The oldest go first; a host that never opens a stream must not fill the memory. */
const MOST = 100;

export class HeldNotices {
  readonly #now: () => number;
  #held: { readonly text: JsonText; readonly until: number }[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Keeps a notice for `ms` milliseconds. */
  add(text: JsonText, ms: number): void {
    const now = this.#now();
    this.#held = this.#held.filter(({ until }) => until > now).slice(-(MOST - 1));
    this.#held.push({ text, until: now + ms });
  }

  /** Puts on a stream what is still worth telling; each notice is told once. */
  flush(stream: HostStream): void {
    if (this.#held.length === 0 || !stream.open) return;
    const now = this.#now();
    const held = this.#held;
    this.#held = [];
    for (const { text, until } of held) if (until > now) stream.send(text, true);
  }
}
