// Opens the broker of a state directory: the one way in for gateways and commands.
import { platform } from 'node:os';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { Drafts } from './drafts.ts';
import { thisProcess } from './process-identity.ts';
import { openSqliteStore } from './sqlite/open-sqlite.ts';
import type { Patience } from './sqlite/patience.ts';
import { StoreBroker } from './store-broker.ts';
import type { Broker } from './types.ts';

export interface OpenBrokerOptions {
  /** As `stateDir` of config/paths.ts gives it; made if it is missing. */
  readonly stateDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** A gateway owns the rows it opens; a command comes and goes. */
  readonly role: 'gateway' | 'command';
  /** How long settled rows are kept, in milliseconds (`elicit.keep`). */
  readonly keep: number;
  /** The most bytes of an answer to a row that is opened here (`limits.answerBytes`). */
  readonly answerBytes?: number;
  /** The servers that a gateway stands before, for whoever asks for one by name. */
  readonly servers?: readonly string[];
  /** How long a lock is waited for, where the role's own measure does not fit. */
  readonly patience?: Patience;
}

// docs/broker.md, "The store": a gateway must not stand still, a person can wait a little.
const PATIENCE: Readonly<Record<OpenBrokerOptions['role'], Patience>> = {
  gateway: { call: 20, total: 10_000 },
  command: { call: 50, total: 5_000 },
};

/**
 * Opens the store, sweeps it, and for a gateway records it as an owner. McpxError `config`, `store_readonly`,
 * `store_full`, `store_busy`, `store_damaged` or `store_newer`, each a sentence with a hint.
 */
export async function openBroker(options: OpenBrokerOptions): Promise<Broker> {
  const { clock, log, role, keep, answerBytes, servers } = options;
  const store = await openSqliteStore({
    dir: options.stateDir,
    clock,
    log,
    patience: options.patience ?? PATIENCE[role],
    // Only Linux reports a write to a file of a watched directory at once.
    poll: platform() === 'linux' ? 500 : 100,
  });
  const broker = new StoreBroker({
    store,
    clock,
    log,
    self: thisProcess(),
    role,
    drafts: new Drafts(options.stateDir),
    keep,
    ...(answerBytes !== undefined && { answerBytes }),
    ...(servers !== undefined && { servers }),
  });
  try {
    await broker.start();
  } catch (error) {
    await store.close();
    throw error;
  }
  return broker;
}
