// `mcpx elicit decline` and `mcpx elicit cancel`: the two answers without content, which are never mixed up (C23).
import type { Io } from '../io.ts';
import { pendingRow, withBroker } from './broker.ts';
import { settle } from './settle.ts';

export function refuseRow(io: Io, id: string, action: 'decline' | 'cancel'): Promise<void> {
  return withBroker(io, async (broker) => settle(io, broker, await pendingRow(broker, id), { action }));
}
