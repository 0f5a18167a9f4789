// What mcpx sent to an upstream, held against the schemas: session by session, since each has ids of its own.
import type { FixtureUpstream, JournalEntry } from './upstream.ts';
import { checkWire } from './wire.ts';

/** Throws with what the upstream's revision does not define. */
export async function checkUpstreamWire(
  upstream: FixtureUpstream,
  exempt: readonly string[] = [],
): Promise<void> {
  const sessions = new Map<string, JournalEntry[]>();
  for (const entry of upstream.wire()) {
    const key = `${entry.pid} ${entry.session}`;
    sessions.set(key, [...(sessions.get(key) ?? []), entry]);
  }
  for (const wire of sessions.values()) {
    // The first message to a server of unknown era is of the era that is tried.
    const tried = (method: string): JournalEntry[] =>
      wire.filter(({ dir, text }) => dir === 'in' && text.includes(`"method":"${method}"`));
    const [modern, legacy] = [tried('server/discover'), tried('initialize')];
    await checkWire(modern, { revision: '2026-07-28' });
    await checkWire(legacy, { revision: '2025-11-25' });
    const rest = wire.filter((entry) => ![...modern, ...legacy].includes(entry));
    await checkWire(rest, { revision: upstream.revision, exempt });
  }
}
