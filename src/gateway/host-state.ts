// What the relay keeps of one host session: its lines to upstreams, its calls, its log level and subscriptions.
import type { HostSession } from '../host/types.ts';
import type { JsonText } from '../protocol/types.ts';
import type { Call } from './call.ts';
import type { Line } from './line.ts';

/** One host session as the relay sees it. */
export class HostState {
  readonly session: HostSession;
  /** Whether it is one request of a stateless host (2026-07-28) rather than a session. */
  readonly stateless: boolean;
  /** Whether a modern upstream's rounds are its own to go through. */
  readonly takesRounds: boolean;
  /** By server name. */
  readonly lines = new Map<string, Line>();
  /** Lines that are being taken, by server name. */
  readonly taking = new Map<string, Promise<Line>>();
  readonly calls = new Set<Call>();
  /** Servers that were still starting when this host listed, so that it is told once they are there. */
  readonly leftOut = new Set<string>();
  /** Whether `initialize` has been answered: nothing may be sent to the host before. */
  welcomed = false;
  /** The params of the host's last `logging/setLevel`, given to each upstream that is opened afterwards. */
  logLevel: JsonText | undefined;
  /** Subscribed resource URIs and the server each belongs to. */
  readonly subscriptions = new Map<string, string>();

  readonly #isParked: () => boolean;

  /** `isParked` says whether its one call waits for the host to come back. */
  constructor(
    session: HostSession,
    stateless = false,
    takesRounds = stateless,
    isParked: () => boolean = () => false,
  ) {
    this.session = session;
    this.stateless = stateless;
    this.takesRounds = takesRounds;
    this.#isParked = isParked;
  }

  /** Whether its call has asked the host and waits, with no request of the host open, for the host to come back. */
  get parked(): boolean {
    return this.#isParked();
  }

  get name(): string {
    return this.session.facts.clientName;
  }
}
