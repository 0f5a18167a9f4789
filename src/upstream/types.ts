// An upstream as the relay sees it: channels that carry requests out and questions in.
import type { JsonText, Reply, Revision } from '../protocol/types.ts';

/**
 * What an upstream said of itself at initialize or, where `revision` is 2026-07-28, at server/discover. `capabilities`
 * is the parsed object, for reading.
 */
export interface UpstreamInfo {
  readonly revision: Revision;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly serverInfo: JsonText;
  readonly instructions: string | undefined;
}

/** Names the host request on whose behalf something was sent, so that what comes back on its stream is attributed. */
export type Ticket = string;

/** Whether a connection begins with `initialize` (legacy) or says everything in each request (modern). */
export type Era = 'legacy' | 'modern';

/** What `subscribe` asks for: list changes by kind, and updates of the resources with these URIs. */
export interface SubscriptionFilter {
  readonly tools: boolean;
  readonly prompts: boolean;
  readonly resources: boolean;
  readonly uris: readonly string[];
}

/** A request the upstream sent to mcpx: `elicitation/create`, `sampling/createMessage`, `roots/list` or unknown. */
export interface UpstreamRequest {
  /** The upstream's own id, as JSON text (number and string ids stay apart). */
  readonly id: JsonText;
  readonly method: string;
  readonly params: JsonText | undefined;
  /** The ticket of the request on whose response stream this came; undefined where the transport cannot tell. */
  readonly origin: Ticket | undefined;
  /**
   * Aborts when the upstream cancels this request (`reason` is its sentence), or when the process or session that
   * asked is gone (`reason` is an AskerGone).
   */
  readonly signal: AbortSignal;
  /**
   * Sends the reply once; later calls do nothing. Resolves true when the transport has taken it (written to the
   * pipe, or the POST answered 2xx), false when it could not be delivered.
   */
  reply(reply: Reply): Promise<boolean>;
}

export interface UpstreamNotification {
  readonly method: string;
  readonly params: JsonText | undefined;
  readonly origin: Ticket | undefined;
}

/** What the relay hangs on a connection before it is opened, so that no early question is missed. */
export interface ConnectionHandlers {
  /** `ping` is answered by the connection itself and never arrives here; cancellations arrive as `request.signal`. */
  onRequest(request: UpstreamRequest): void;
  onNotification(notification: UpstreamNotification): void;
  /**
   * The connection is over; `reason` is a sentence for people ("the process exited with code 1"). Called once, and not
   * where `open` rejects.
   */
  onClosed(reason: string): void;
}

/** Client capabilities declared to the upstream: JSON text of the `capabilities` object. */
export interface ConnectionOptions {
  readonly capabilities: JsonText;
  readonly handlers: ConnectionHandlers;
  /** The era that is tried first where the server's `era` is `follow`; legacy when absent. */
  readonly prefer?: Era;
  /** Aborting it gives up opening. */
  readonly signal: AbortSignal;
}

/** How a request is sent. */
export interface RequestOptions {
  /** Aborting it cancels the request upstream. */
  readonly signal: AbortSignal;
  /** Names the host request behind this one. */
  readonly ticket?: Ticket;
  /** Modern channels: the client capabilities of this very request; those given to `open` when absent. */
  readonly capabilities?: JsonText;
  /** Modern channels: the least level at which the upstream may log on behalf of this request; none when absent. */
  readonly logLevel?: string;
}

/** One process, or one HTTP session or stateless endpoint, of an upstream; ready for requests. */
export interface Connection {
  readonly server: string;
  /** `revision` says the era. Of the newest handshake: an HTTP server that has forgotten its session is greeted again. */
  readonly info: UpstreamInfo;
  /**
   * Sends a request with an id of the connection's own and resolves with the upstream's reply (also an error reply); a
   * modern result comes untouched, `input_required` included. When `signal` aborts, the upstream is told, by
   * `notifications/cancelled` (never for initialize) or, over modern HTTP, by the end of the response stream, and the
   * promise rejects with `signal.reason`. Rejects with McpxError `upstream` when the connection ends, the send fails, or
   * a modern response stream ends before the reply.
   */
  request(method: string, params: JsonText | undefined, options: RequestOptions): Promise<Reply>;
  notify(method: string, params: JsonText | undefined): Promise<void>;
  /**
   * Modern channels only: keeps a `subscriptions/listen` open until `signal` aborts or the connection ends, and opens it
   * again when it drops. What it brings arrives by `onNotification`, without origin. Never throws.
   */
  subscribe?(filter: SubscriptionFilter, signal: AbortSignal): void;
  /**
   * Stops reading what comes with a ticket (or with none) that is held, and reads the rest: to be called again whenever
   * that changes. The upstream then waits, as it would for any reader that is slow.
   */
  regulate?(regulation: Regulation): void;
  /** The last lines of stderr, cleaned and bounded; empty for HTTP. */
  stderrTail(): string;
  readonly closed: boolean;
  /** Ends it for good: stdin closed, then SIGTERM, then SIGKILL to the whole group; or DELETE of the session. */
  close(reason: string): Promise<void>;
}

/** For whom something comes: with the ticket of a request, or on a way that all share (undefined). */
export interface Regulation {
  /** Whether it is left unread for now. */
  isHeld(ticket: Ticket | undefined): boolean;
  /** Stands for the host that it goes to, where that is known. */
  readerOf(ticket: Ticket | undefined): object | undefined;
}

/** A configured upstream: opens channels to it. */
export interface UpstreamConnector {
  readonly server: string;
  readonly transport: 'stdio' | 'http';
  /** Why even legacy hosts are served by the modern side, where it was found that they must be; a sentence. */
  readonly modernForAll?: string | undefined;
  /** Starts or connects, and initializes or discovers. McpxError `unreachable` or `upstream` names the server and says what to do. */
  open(options: ConnectionOptions): Promise<Connection>;
}
