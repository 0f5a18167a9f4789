// What hosts of 2026-07-28 over HTTP have not read, all responses of one host together (C51).
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { Backlog, type BacklogOptions } from '../backlog.ts';

export interface HostBacklogsOptions {
  /** `limits.frameBytes`. */
  readonly capacity: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Milliseconds in which even a slow reader takes something. */
const PATIENCE = 10_000;
const AGAIN = 1000;
/** How many hosts' worth of unread responses one principal may have, however many names its hosts have. */
const HOSTS = 8;

interface Shared {
  readonly backlog: Backlog;
  /** The responses that count in it. */
  users: number;
}

/**
 * Requests of 2026-07-28 stand alone: a host is known by its principal and by the name that it gives itself. Two hosts of
 * one name may be held back together, so that what stands still meanwhile is cut; a host that changes its name with
 * every request meets the bound of its principal.
 */
export class HostBacklogs {
  readonly #options: HostBacklogsOptions;
  readonly #principals = new Map<string, Shared>();
  readonly #hosts = new Map<string, Shared>();

  constructor(options: HostBacklogsOptions) {
    this.#options = options;
  }

  /** The backlog that a response counts in until it is closed. */
  for(principal: string, client: string, response: ServerResponse): Backlog {
    const key = JSON.stringify([principal, client]);
    const whole = this.#use(this.#principals, principal, HOSTS, principal);
    const own = this.#use(this.#hosts, key, 1, principal, whole);
    const leave = (): void => {
      leaveShared(this.#hosts, key);
      leaveShared(this.#principals, principal);
    };
    if (response.closed) leave();
    else response.once('close', leave);
    return own;
  }

  #use(all: Map<string, Shared>, key: string, hosts: number, principal: string, within?: Backlog): Backlog {
    const { capacity, clock, log } = this.#options;
    const known = all.get(key);
    if (known !== undefined) {
      known.users += 1;
      return known.backlog;
    }
    const onCut = (): void =>
      log.warn(
        { principal },
        'a response was cut: the host does not read it, and more waits for it than limits.frameBytes allows',
      );
    const options: BacklogOptions = {
      patience: { clock, ms: PATIENCE, againMs: AGAIN, onCut },
      ...(within && { within }),
    };
    const backlog = new Backlog(hosts * capacity, options);
    all.set(key, { backlog, users: 1 });
    return backlog;
  }
}

function leaveShared(all: Map<string, Shared>, key: string): void {
  const shared = all.get(key);
  if (shared === undefined) return;
  shared.users -= 1;
  if (shared.users > 0) return;
  all.delete(key);
  shared.backlog.close();
}
