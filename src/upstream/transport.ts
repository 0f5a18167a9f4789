// What moves frames between mcpx and one upstream. A transport knows ids and streams, never what a frame means.
import type { Overlong } from '../protocol/overlong.ts';
import type { JsonText, Revision } from '../protocol/types.ts';
import type { Regulation, Ticket } from './types.ts';

/** Where a frame came from. */
export interface Source {
  /** The ticket of the request on whose response stream it came. */
  readonly origin: Ticket | undefined;
  /** Within one scope the upstream's ids are unique: a pipe, an HTTP session, or one stream without a session. */
  readonly scope: string;
  /** It came on a resumed stream, so that the upstream may be repeating itself. */
  readonly replayed: boolean;
  /** The request that replies on it are for; `all` where it carries those to every request. */
  readonly repliesTo: JsonText | 'all' | undefined;
}

/** What is being sent; the text of it travels beside this. */
export type Outgoing =
  | {
      readonly kind: 'request';
      readonly id: JsonText;
      readonly method: string;
      readonly ticket: Ticket | undefined;
      /** HTTP headers of this very request (2026-07-28); other transports have no use for them. */
      readonly headers?: Readonly<Record<string, string>> | undefined;
    }
  | { readonly kind: 'notification'; readonly method: string }
  | { readonly kind: 'reply'; readonly scope: string };

/** The side of the connection that a transport talks to. */
export interface Sink {
  /** Takes one frame: a message or, from a 2025-03-26 upstream, an array of them. */
  receive(text: string, source: Source): void;
  /** Resolves once all that was received has been taken: a large frame is read in turns with everything else (C48). */
  taken(): Promise<void>;
  /** A frame over `limit` bytes (`limits.frameBytes`) was read to its end and dropped (C59). */
  overlong(frame: Overlong, limit: number, source: Source): void;
  /** Whether the request with this id still waits for its reply. */
  awaiting(id: JsonText): boolean;
  /** The questions of this scope can no longer be answered; `reason` is a sentence. */
  scopeEnded(scope: string, reason: string): void;
  /** Shakes hands again on the same connection, after the upstream has forgotten its session. */
  renew(): Promise<void>;
  /** A modern endpoint answered as none would: it may have become something else. */
  doubted(): void;
  /** Nothing more will come or go. Called at most once; `reason` is a sentence without a full stop. */
  closed(reason: string): void;
}

export interface Transport {
  /** Begins; frames may arrive before it resolves. */
  start(): Promise<void>;
  /**
   * Sends one frame. A request rejects when no reply can come any more; a notification or reply resolves when it has
   * been taken (written to the pipe, or answered 2xx).
   */
  send(text: string, what: Outgoing): Promise<void>;
  /** Stops listening for the reply to this request; called after its cancellation was sent. */
  abandon(id: JsonText): void;
  /** The revision agreed on, before anything but `initialize` is sent. */
  agreed(revision: Revision): void;
  /** `notifications/initialized` has been sent. */
  ready(): Promise<void>;
  /** As `Connection.regulate`. */
  regulate(regulation: Regulation): void;
  stderrTail(): string;
  /** Ends it for good. `sink.closed` is not called for an end that was asked for. */
  close(): Promise<void>;
}
