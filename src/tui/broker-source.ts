// The rows of this machine's store.
import type { Broker } from '../broker/types.ts';
import type { RowSource } from './row-source.ts';

export function brokerSource(broker: Broker): RowSource {
  return {
    name: 'this machine',
    list: () => broker.list({ state: 'all' }),
    changes: (signal) => broker.changes({ signal }),
    watching: (signal) => broker.watching('tui', signal),
    answer: (id, answer) => broker.answer(id, { ...answer, by: 'tui' }),
    delivery: (id, ms) => broker.awaitDelivery(id, ms),
    completed: (id) => broker.completed(id),
  };
}
