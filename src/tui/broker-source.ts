// The rows of this machine's store, or of a gateway far away.
import type { BrokerClient } from '../broker/types.ts';
import type { RowSource } from './row-source.ts';

export function brokerSource(broker: BrokerClient, name: string): RowSource {
  return {
    name,
    list: () => broker.list({ state: 'all' }),
    changes: (signal) => broker.changes({ signal }),
    watching: (signal) => broker.watching('tui', signal),
    answer: (id, answer) => broker.answer(id, { ...answer, by: 'tui' }),
    delivery: (id, ms) => broker.awaitDelivery(id, ms),
    completed: (id) => broker.completed(id),
  };
}
