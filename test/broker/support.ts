// Brokers on a state directory of the test's own.
import { join } from 'node:path';
import { type OpenBrokerOptions, openBroker } from '../../src/broker/open.ts';
import type { Broker, NewRow } from '../../src/broker/types.ts';
import { systemClock } from '../../src/clock.ts';
import { silent } from '../../src/log.ts';
import type { Scope } from '../support/create-scope.ts';
import { testScope } from '../support/scope.ts';

export const SCHEMA = '{"type":"object","properties":{"repo":{"type":"string"}},"required":["repo"]}';

/** A form question; `facts` replace parts of it. */
export function question(facts: Partial<NewRow> = {}): NewRow {
  return {
    server: 'github',
    mode: 'form',
    message: 'Which repository should this go in?',
    params: `{"message":"Which repository should this go in?","requestedSchema":${SCHEMA}}`,
    requestedSchema: SCHEMA,
    principal: 'local',
    audience: 'human',
    sensitive: false,
    ttl: 600_000,
    ...facts,
  };
}

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
