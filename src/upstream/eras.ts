// Which era is spoken to a server: what the configuration says, what the caller prefers, what is known, what is found.
import type { EraVerdict, EraVerdicts } from '../broker/types.ts';
import type { ServerConfig } from '../config/types.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { isLegacy } from '../protocol/revisions.ts';
import { orAborted } from '../waiting.ts';
import { NotModern } from './modern/discover.ts';
import type { Connection, ConnectionHandlers, ConnectionOptions, Era } from './types.ts';

/** How a connection is opened: in `first` and, where the server refuses that and `fallback` allows, in the other era. */
export interface Attempt {
  readonly first: Era;
  readonly fallback: boolean;
  /** The server is known to speak `first`: its silence means that it is slow. */
  readonly certain: boolean;
}

/** What an attempt has shown, beside the connection: eras refused by an answer or an exit, eras spoken besides. */
export class Found {
  /** The legacy side was opened and gave no session: it can hardly ask anything. */
  sessionless = false;
  readonly #spoken = new Map<Era, boolean>();

  readonly note = (era: Era, speaks: boolean): void => {
    this.#spoken.set(era, speaks);
  };

  speaks(era: Era): boolean | undefined {
    return this.#spoken.get(era);
  }
}

export type OpenAttempt = (attempt: Attempt, found: Found, options: ConnectionOptions) => Promise<Connection>;

export interface ErasOptions {
  readonly server: string;
  readonly era: ServerConfig['era'];
  /** Names the configuration among the verdicts. */
  readonly key: string;
  readonly verdicts: EraVerdicts;
  readonly log: Log;
  readonly open: OpenAttempt;
}

/** Opens the channels of one configured server (docs/relay.md, "Which era towards an upstream"). */
export class Eras {
  readonly #options: ErasOptions;
  /** The probe that runs now, with what comes of it; undefined where its caller gave up. */
  #probe: Promise<EraVerdict | undefined> | undefined;
  /** The server left server/discover without an answer while its legacy side had answered: it is not asked again. */
  #silent = false;
  #verdict: EraVerdict | undefined;

  constructor(options: ErasOptions) {
    this.#options = options;
  }

  /** Why every host is served by the modern side, as far as that was found out here or before; a sentence. */
  get modernForAll(): string | undefined {
    return this.#verdict === 'modern-first'
      ? 'server/discover is answered, and initialize gives no session in which anybody could be asked'
      : undefined;
  }

  async open(options: ConnectionOptions): Promise<Connection> {
    const { era, open } = this.#options;
    if (era !== 'follow') return open({ first: era, fallback: false, certain: true }, new Found(), options);
    const known = await this.#known();
    if (options.prefer !== 'modern' || known !== undefined) return this.#attempt(known, options);
    return this.#probed(options);
  }

  /** One probe at a time: whoever comes while one runs goes by its outcome, be it a silence or a failure. */
  async #probed(options: ConnectionOptions): Promise<Connection> {
    const { signal } = options;
    while (this.#probe !== undefined) {
      const outcome = await orAborted(this.#probe, signal);
      if (outcome !== undefined) return this.#attempt(outcome, options);
    }
    const connection = this.#attempt(undefined, options);
    this.#probe = connection.then(
      ({ info }) => (isLegacy(info.revision) ? 'legacy' : 'modern'),
      (error) => {
        if (!signal.aborted) throw error;
        return undefined;
      },
    );
    // Mostly nobody waits for it.
    this.#probe.catch(() => {});
    try {
      return await connection;
    } finally {
      this.#probe = undefined;
    }
  }

  async #attempt(known: EraVerdict | undefined, options: ConnectionOptions): Promise<Connection> {
    const first = firstEra(known, options.prefer ?? 'legacy');
    const found = new Found();
    const certain = first === 'modern' && known !== undefined;
    let verdict: EraVerdict | undefined;
    const trial = new Trial(options.handlers);
    try {
      const connection = await this.#options.open({ first, fallback: true, certain }, found, {
        ...options,
        handlers: trial.handlers,
      });
      verdict = verdictFrom(connection, found, first, known);
      if (!found.sessionless || found.speaks('modern') === false || verdict === 'legacy') return connection;
      const modern = await this.#modernInstead(options);
      if (modern === 'refused') verdict = 'legacy';
      if (modern === 'refused' || modern === undefined) return connection;
      verdict = 'modern-first';
      trial.end();
      await connection.close('its modern side is used');
      return modern;
    } catch (error) {
      // A verdict on a server that fails is worth nothing; only a caller who gave up says nothing about it.
      if (options.signal.aborted) verdict = known;
      throw error;
    } finally {
      this.#verdict = verdict;
      if (verdict !== known) await this.#keep(verdict);
    }
  }

  /**
   * The modern side of a server whose legacy one keeps no session (an SDK v2 server over HTTP, for one): it is the side
   * that can ask. `refused` where there is none, undefined where that is not known.
   */
  async #modernInstead(options: ConnectionOptions): Promise<Connection | 'refused' | undefined> {
    if (this.#silent) return undefined;
    try {
      return await this.#options.open(
        { first: 'modern', fallback: false, certain: true },
        new Found(),
        options,
      );
    } catch (error) {
      if (options.signal.aborted) throw error;
      if (!(error instanceof NotModern)) return undefined;
      this.#silent = error.silent;
      return error.silent ? undefined : 'refused';
    }
  }

  async #known(): Promise<EraVerdict | undefined> {
    try {
      return await this.#options.verdicts.get(this.#options.key);
    } catch (error) {
      return this.#forgotten(error);
    }
  }

  async #keep(verdict: EraVerdict | undefined): Promise<void> {
    try {
      await this.#options.verdicts.set(this.#options.key, verdict);
    } catch (error) {
      this.#forgotten(error);
    }
  }

  /** A verdict only saves a probe; without it everything works. */
  #forgotten(error: unknown): undefined {
    this.#options.log.debug(
      { server: this.#options.server, error: messageOf(error) },
      'could not keep or look up which era a server speaks',
    );
  }
}

/** The handlers of a connection that may yet be given up for another one, of which nobody is to hear then. */
class Trial {
  readonly handlers: ConnectionHandlers;
  #ended = false;

  constructor(handlers: ConnectionHandlers) {
    this.handlers = {
      onRequest: (request) => handlers.onRequest(request),
      onNotification: (notification) => handlers.onNotification(notification),
      onClosed: (reason) => {
        if (!this.#ended) handlers.onClosed(reason);
      },
    };
  }

  end(): void {
    this.#ended = true;
  }
}

function firstEra(known: EraVerdict | undefined, prefer: Era): Era {
  if (known === 'legacy') return 'legacy';
  return known === 'modern-only' || known === 'modern-first' ? 'modern' : prefer;
}

/** What is worth keeping: answers and exits are, silence is not. */
function verdictFrom(
  connection: Connection,
  found: Found,
  first: Era,
  known: EraVerdict | undefined,
): EraVerdict | undefined {
  if (!isLegacy(connection.info.revision)) {
    if (found.speaks('legacy') === false) return 'modern-only';
    return known === 'modern-only' || known === 'modern-first' ? known : 'modern';
  }
  if (found.speaks('modern') === true) return 'modern';
  if (found.speaks('modern') === false) return 'legacy';
  // Nothing was heard in the modern era: where it was tried, what was known has failed.
  return first === 'modern' ? undefined : known;
}
