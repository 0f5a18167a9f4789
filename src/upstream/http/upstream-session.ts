// What one HTTP session adds to each request: its id, and the revision agreed on.
import { atLeast } from '../../protocol/revisions.ts';
import type { Revision } from '../../protocol/types.ts';

type Headers = Readonly<Record<string, string>>;

export class UpstreamSession {
  /** Told apart from the sessions before it on the same connection. */
  readonly scope: string;
  #id: string | undefined;
  #shared: Headers = {};
  /** The upstream has forgotten it; the next request begins a new one. */
  gone = false;

  constructor(generation: number) {
    this.scope = `session-${generation}`;
  }

  /** False for a server that keeps none: then ids are unique within one stream only. */
  get hasId(): boolean {
    return this.#id !== undefined;
  }

  /** `id` is the Mcp-Session-Id of the answer to initialize, `''` where there was none. */
  adopt(id: string): void {
    if (id === '') return;
    this.#id = id;
    this.#shared = { ...this.#shared, 'mcp-session-id': id };
  }

  /** The header came with 2025-06-18 (basic/transports, "Protocol Version Header"). */
  agreed(revision: Revision): void {
    if (atLeast(revision, '2025-06-18')) this.#shared = { ...this.#shared, 'mcp-protocol-version': revision };
  }

  forPost(): Headers {
    return {
      ...this.#shared,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
  }

  forGet(lastEventId: string | undefined): Headers {
    const headers = { ...this.#shared, accept: 'text/event-stream' };
    return lastEventId === undefined ? headers : { ...headers, 'last-event-id': lastEventId };
  }

  forDelete(): Headers {
    return this.#shared;
  }
}

/**
 * Whether this answer says that the session is gone: 404 by the specification (basic/transports, "Session
 * Management"), and 400 with a word on sessions from the many servers that copied the SDK's old example.
 */
export function saysSessionGone(status: number, body: string): boolean {
  return status === 404 || (status === 400 && /session/i.test(body));
}

/** Thrown through one exchange, so that it can be made again in a new session. */
export class SessionGone extends Error {
  override readonly name = 'SessionGone';
}
