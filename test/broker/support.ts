// Brokers on a state directory of the test's own.
import { join } from 'node:path';
import { type OpenBrokerOptions, openBroker } from '../../src/broker/open.ts';
import type { Broker } from '../../src/broker/types.ts';
import { systemClock } from '../../src/clock.ts';
import { silent } from '../../src/log.ts';
import type { Scope } from '../support/create-scope.ts';
import { testScope } from '../support/scope.ts';

export interface Bench {
  readonly scope: Scope;
  readonly stateDir: string;
  /** Opens one more broker on the directory; closed with the test. */
  open(role?: 'gateway' | 'command', options?: Partial<OpenBrokerOptions>): Promise<Broker>;
}

export function bench(): Bench {
  const scope = testScope();
  const stateDir = join(scope.dir(), 'state');
  return {
    scope,
    stateDir,
    async open(role = 'gateway', options = {}) {
      const broker = await openBroker({
        stateDir,
        clock: systemClock,
        log: silent,
        role,
        keep: 30 * 86_400_000,
        ...options,
      });
      scope.defer(() => broker.close());
      return broker;
    },
  };
}
