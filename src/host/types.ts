// A host as the relay sees it: sessions that make requests, and the channel on which they can be asked.
import type { JsonText, Reply, Revision } from '../protocol/types.ts';

/** What a host said of itself: at initialize (legacy), or in the `_meta` of one request (2026-07-28). */
export interface HostFacts {
  readonly revision: Revision;
  /** The parsed `capabilities`, for reading; whatever the host wrote, which need not be an object. */
  readonly capabilities: unknown;
  readonly clientName: string;
  readonly principal: string;
  readonly transport: 'stdio' | 'http';
}

/** One request of a host while it is being served. */
export interface Exchange {
  readonly method: string;
  readonly params: JsonText | undefined;
  /** Aborts when the host cancels the request or its session ends; nothing more is sent to it then. */
  readonly signal: AbortSignal;
  /** Whether messages can go out ahead of the response (stdio, or an HTTP POST whose Accept has text/event-stream). */
  readonly streams: boolean;
  /** How the host reads what goes out for this request; absent where that is not known. */
  readonly flow?: Flow;
  /** Sends a notification that belongs to this request, ahead of its response. Dropped where `streams` is false. */
  notify(method: string, params: JsonText | undefined): void;
}

/** How far a host is behind with reading (C51). */
export interface Flow {
  /** Whether so much waits for it that what brings more has to wait. */
  readonly full: boolean;
  /** Who reads: the same object for everything that goes to one host. */
  readonly reader?: object | undefined;
  /** Calls `listener` whenever that changes, for as long as the host is there. */
  onChange(listener: () => void): void;
}

/** A host that has initialized, and stays until its session ends. */
export interface HostSession {
  readonly id: string;
  readonly facts: HostFacts;
  /** Aborts at the end of the session (DELETE, end of input, idle, shut-down); `reason` is a sentence. */
  readonly ended: AbortSignal;
  /** Absent for what stands for no connection of its own. */
  readonly flow?: Flow;
  /**
   * Sends the host a request of mcpx's own, on the stream of `via` if given and still open, else on the session's
   * GET stream, else on its newest open POST that streams; resolves with the host's reply. When `signal` aborts, the
   * host is sent `notifications/cancelled` with the host-side id and the promise rejects with `signal.reason`.
   * Rejects with McpxError `unreachable` where there is no stream to send it on.
   */
  request(
    method: string,
    params: JsonText | undefined,
    options: {
      signal: AbortSignal;
      via?: Exchange;
      /** Names the question; a stateless host answers it under this key. */
      key?: string;
    },
  ): Promise<Reply>;
  /** Whether `request` would find a stream now. */
  reachable(via?: Exchange): boolean;
  /**
   * Sends a notification that belongs to no request: pipe, or GET stream if one is open. Else it is dropped, or with
   * `holdFor` (milliseconds) goes out on another SSE stream of the session, the next one where none is open.
   */
  notify(method: string, params: JsonText | undefined, options?: { readonly holdFor: number }): void;
}

/** One request of a stateless host (2026-07-28): everything it needs is in it. */
export interface StatelessRequest extends Exchange {
  /**
   * As the host wrote them, without `inputResponses` and `requestState` and without the `io.modelcontextprotocol/*` keys
   * of `_meta`; the other keys of `_meta` stay, an empty `_meta` goes.
   */
  readonly params: JsonText | undefined;
  /** `revision` is 2026-07-28, `capabilities` are those of this very request. */
  readonly facts: HostFacts;
  /** The text of an object. */
  readonly inputResponses: JsonText | undefined;
  readonly requestState: string | undefined;
  /** `io.modelcontextprotocol/logLevel`; without it the host wants no log messages. */
  readonly logLevel: string | undefined;
}

/** What a `subscriptions/listen` asks for, or what of it is honoured. */
export interface ListenFilter {
  readonly tools: boolean;
  readonly prompts: boolean;
  readonly resources: boolean;
  /** The resources whose updates are wanted. */
  readonly uris: readonly string[];
}

/** What `initialize` or `server/discover` answers beside revisions: JSON texts in the words of the host's revision. */
export interface Welcome {
  readonly capabilities: JsonText;
  readonly instructions: string | undefined;
}

/** The relay as the host side sees it. */
export interface HostHandler {
  /** Called once per session, before `initialize` is answered. */
  welcome(session: HostSession): Promise<Welcome>;
  /** `initialize` and `ping` never arrive here. Must not throw: a failure is an error reply. */
  request(session: HostSession, exchange: Exchange): Promise<Reply>;
  /** `notifications/initialized` and `notifications/cancelled` are handled by the host side. */
  notification(session: HostSession, method: string, params: JsonText | undefined): void;
  ended(session: HostSession, reason: string): void;
  /** `server/discover` of a stateless host. Must not throw. */
  discover?(facts: HostFacts): Promise<Welcome>;
  /**
   * Every other request of a stateless host but `subscriptions/listen`; results are in the words of 2026-07-28, whole.
   * `request.signal` aborts when the host closes the response stream (HTTP) or cancels (stdio). Must not throw.
   */
  stateless?(request: StatelessRequest): Promise<Reply>;
  /**
   * `subscriptions/listen`: resolves with what of the filter is honoured. The host side acknowledges that, and keeps the
   * stream until `request.signal` aborts; notices for it go out by `request.notify` once this has resolved (earlier ones
   * wait for the acknowledgement), and the subscription's id is added to them. Must not throw.
   */
  listen?(request: StatelessRequest, filter: ListenFilter): Promise<ListenFilter>;
  /**
   * The `inputSchema` of a tool as hosts see it, where it has annotations: the `Mcp-Param-*` headers of a call are held
   * against it (2026-07-28 basic/transports/streamable-http, "Server Validation"). `fresh` looks it up again. Rejects
   * with a McpxError where it cannot be had.
   */
  toolSchema?(name: string, request: StatelessRequest, fresh: boolean): Promise<JsonText | undefined>;
}
