// The URLs that one connection of an upstream has asked to open, by their ids, until it says that they are done (ELI-11).

import type { Broker } from '../../broker/types.ts';
import { messageOf } from '../../errors.ts';
import type { HostFacts } from '../../host/types.ts';
import type { Log } from '../../log.ts';
import { elicitationModes } from '../../protocol/capabilities.ts';
import { json, quote } from '../../protocol/json-text.ts';
import type { Requester } from '../requesters.ts';

/** A host session that was given a URL, and the id under which it knows it. */
export interface Given {
  readonly host: Requester;
  readonly id: string;
}

/** What a completion comes to; each is called at most once for one URL. */
export interface UrlEffects {
  readonly completed: (rowId: string) => void;
  readonly forward: (given: Given) => void;
}

/**
 * One URL. Completion may come before its row is committed or before the host has the question; either way the row is
 * marked and the host is told, once.
 */
export class AskedUrl {
  readonly #effects: UrlEffects;
  #row: string | undefined;
  #given: Given | undefined;
  #completed = false;

  constructor(effects: UrlEffects) {
    this.#effects = effects;
  }

  get given(): Given | undefined {
    return this.#given;
  }

  opened(rowId: string): void {
    if (this.#row !== undefined) return;
    this.#row = rowId;
    if (this.#completed) this.#effects.completed(rowId);
  }

  /** The host has it now under `id`; a later id takes the place of an earlier one. */
  give(host: Requester, id: string): void {
    const first = this.#given === undefined;
    this.#given = { host, id };
    if (first && this.#completed) this.#effects.forward(this.#given);
  }

  complete(): void {
    if (this.#completed) return;
    this.#completed = true;
    if (this.#row !== undefined) this.#effects.completed(this.#row);
    if (this.#given !== undefined) this.#effects.forward(this.#given);
  }
}

/** Ids are the upstream's and none has to be completed: the oldest are forgotten beyond this many. */
const MOST = 1_000;

/** All URLs of one connection. Another connection that uses the same id has its own (docs/relay.md, "URL mode"). */
export class ConnectionUrls {
  readonly #effects: UrlEffects;
  /** In the order in which they were asked. */
  readonly #open = new Set<{ readonly id: string; readonly url: AskedUrl }>();

  constructor(effects: UrlEffects) {
    this.#effects = effects;
  }

  /** Notes a URL that is being asked under the upstream's `elicitationId`. */
  ask(id: string): AskedUrl {
    const url = new AskedUrl(this.#effects);
    this.#open.add({ id, url });
    for (const oldest of this.#open) {
      if (this.#open.size <= MOST) break;
      this.#open.delete(oldest);
    }
    return url;
  }

  /** Notes that a host was given the upstream's own -32042, and so the upstream's own ids. */
  passOn(host: Requester, id: string): void {
    let known = false;
    for (const one of this.#open) {
      if (one.id !== id || (one.url.given !== undefined && one.url.given.host !== host)) continue;
      known = true;
      one.url.give(host, id);
    }
    if (!known) this.ask(id).give(host, id);
  }

  /** The upstream says that this id is done; an unknown one, or one that was done already, changes nothing. */
  complete(id: string): void {
    for (const one of this.#open) {
      if (one.id !== id) continue;
      this.#open.delete(one);
      one.url.complete();
    }
  }
}

/** Whether -32042 and `notifications/elicitation/complete` mean something to this host: 2025-11-25, with url declared. */
export function knowsUrlErrors({ revision, capabilities }: HostFacts): boolean {
  return revision === '2025-11-25' && elicitationModes(revision, capabilities).url;
}

export const COMPLETE = 'notifications/elicitation/complete';

/** Milliseconds that the notice is kept for a host without an open stream (docs/relay.md, "URL mode"). */
const HOLD = 600_000;

/** What follows from a completion: the row's `completedAt`, and the same notice under the id that the host knows. */
export function urlEffects(broker: Broker, log: Log): UrlEffects {
  return {
    completed(row) {
      broker.completed(row).then(
        () => log.info({ row }, 'question completed'),
        (error) => log.warn({ row, error: messageOf(error) }, 'a completion could not be recorded'),
      );
    },
    forward: ({ host, id }) =>
      host.session.notify(COMPLETE, json`{"elicitationId":${quote(id)}}`, { holdFor: HOLD }),
  };
}
