// The table of HTTP sessions: opened up to a limit, found by id, ended when idle.
import { randomBytes } from 'node:crypto';
import type { NamedToken } from '../broker/principals.ts';
import type { Timer } from '../clock.ts';
import { RPC } from '../protocol/message.ts';
import { newSessionId } from './handshake.ts';
import { Refusal } from './http-answers.ts';
import { HttpSession } from './http-session.ts';
import type { HostOptions } from './options.ts';
import type { HostFacts } from './types.ts';

export interface SessionsOptions extends HostOptions {
  readonly limits: { readonly frameBytes: number; readonly sessions: number };
  /** Who may use the endpoint; without it, everybody who reaches it, as the local operator. */
  readonly tokens?: readonly NamedToken[];
}

/** The pace of keep-alive comments and of looking for idle sessions; milliseconds (docs/relay.md, "Asking the host"). */
const BEAT = 15_000;
/** A session on which nothing is open ends after this long (docs/broker.md, "Limits"). */
const IDLE = 3_600_000;
/** When the table is full, a session that has been idle for this long makes room for a new one. */
const IDLE_WHEN_FULL = 300_000;

export class HttpSessions {
  readonly #options: SessionsOptions;
  readonly #byKey = new Map<string, HttpSession>();
  #streams = 0;
  #timer: Timer | undefined;
  #closed: string | undefined;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#arm();
  }

  /** The session whose `Mcp-Session-Id` this is. */
  get(key: string): HttpSession | undefined {
    return this.#byKey.get(key);
  }

  /** Opens a session; at the limit, and once the table is closed, a 503 instead. */
  open(facts: HostFacts): HttpSession | Refusal {
    const { limits, clock, handler, log } = this.#options;
    if (this.#closed !== undefined) return new Refusal(503, RPC.internal, this.#closed);
    if (this.#byKey.size >= limits.sessions && !this.#makeRoom()) {
      return new Refusal(
        503,
        RPC.internal,
        `mcpx has as many host sessions as limits.sessions allows (${limits.sessions}); end some, or raise limits.sessions in mcpx.json.`,
      );
    }
    // Nobody can guess it, it is visible ASCII (basic/transports, "Session Management"), and it stays out of the log.
    const key = randomBytes(24).toString('base64url');
    const opened = new HttpSession({
      id: newSessionId(),
      key,
      facts,
      handler,
      log,
      now: () => clock.monotonic(),
      nextStreamId: () => {
        this.#streams += 1;
        return this.#streams.toString(36);
      },
      capacity: limits.frameBytes,
    });
    this.#byKey.set(key, opened);
    opened.session.ended.addEventListener('abort', () => this.#byKey.delete(key), { once: true });
    return opened;
  }

  /** Ends every session, and keeps no more time. */
  close(reason: string): void {
    this.#timer?.cancel();
    this.#closed = reason;
    for (const session of [...this.#byKey.values()]) session.end(reason, 503);
  }

  #arm(): void {
    this.#timer = this.#options.clock.after(BEAT, () => {
      this.#arm();
      const now = this.#options.clock.monotonic();
      for (const session of [...this.#byKey.values()]) {
        session.tick();
        if (idleFor(session, now) >= IDLE) session.end('The session was idle for an hour.');
      }
    });
  }

  #makeRoom(): boolean {
    const now = this.#options.clock.monotonic();
    const idlest = [...this.#byKey.values()].reduce<HttpSession | undefined>(
      (best, session) => (best === undefined || idleFor(session, now) > idleFor(best, now) ? session : best),
      undefined,
    );
    if (idlest === undefined || idleFor(idlest, now) < IDLE_WHEN_FULL) return false;
    idlest.end('The session was idle, and its place was needed for a new one.');
    return true;
  }
}

/** How long nothing has been open on it, in milliseconds; negative while something is. */
function idleFor(session: HttpSession, now: number): number {
  return session.idleSince === undefined ? -1 : now - session.idleSince;
}
