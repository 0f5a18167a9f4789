// Where the inbox gets its rows and leaves its answers: the store of this machine now, a gateway far away as well.
import type { BrokerClient, Row, Settled } from '../broker/types.ts';
import type { Action, JsonText } from '../protocol/types.ts';

export interface RowChange {
  readonly event: string;
  readonly row: Row;
}

/** All methods may throw McpxError; its message and hint are what the person sees. */
export interface RowSource {
  /** Where the rows are, in a few words: `this machine`. */
  readonly name: string;
  /** The open rows, and the settled ones as far as they are kept. */
  list(): Promise<readonly Row[]>;
  /** Changes from the moment of the call, until `signal` aborts. */
  changes(signal: AbortSignal): AsyncIterable<RowChange>;
  /** Says that a person is looking, until `signal` aborts. */
  watching(signal: AbortSignal): void;
  /** Exactly one attempt wins; the others get the row as the winner left it. */
  answer(id: string, answer: { readonly action: Action; readonly content?: JsonText }): Promise<Settled>;
  /** The row once its server has the answer, or as it is after `ms`. */
  delivery(id: string, ms: number): Promise<Row>;
  /** The person has finished at the URL. */
  completed(id: string): Promise<Row>;
}

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
