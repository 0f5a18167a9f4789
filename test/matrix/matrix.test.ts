// Every cell of host revision × upstream revision × both transports × kind of question, over real peers; the table is in table.ts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScope } from '../support/create-scope.ts';
import { checkUpstreamWire } from '../support/upstream-wire.ts';
import { checkWire } from '../support/wire.ts';
import { type Peers, serverOf, startPeers } from './peers.ts';
import { cells, HOSTS, OUTCOMES, type Outcome, TRANSPORTS } from './table.ts';
import { walk } from './walk.ts';

const scope = createScope();
const ALL = cells();
const walked = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]));
let peers: Peers;

beforeAll(async () => {
  peers = await startPeers(scope);
}, 60_000);

afterAll(async () => {
  await scope.close();
  const total = [...walked.values()].reduce((sum, count) => sum + count, 0);
  const refused = (walked.get('refused as it came') ?? 0) + (walked.get('refused in words') ?? 0);
  console.log(
    `matrix: ${total} of ${ALL.length} cells as the table says: ${walked.get('carried')} carried inline, ` +
      `${walked.get('kept')} kept by the broker and answered there, ${refused} refused by rule ` +
      `(${walked.get('refused as it came')} with the upstream's own error, ${walked.get('refused in words')} in words)`,
  );
}, 60_000);

/** One cell at a time on one connection, so that each question belongs to a call that is known; the others side by side. */
const turns = new Map<string, Promise<void>>();
function inTurn(key: string, run: () => Promise<void>): Promise<void> {
  const turn = (turns.get(key) ?? Promise.resolve()).then(run, run);
  turns.set(key, turn);
  return turn;
}

test.concurrent.each(ALL.map((cell, index) => ({ ...cell, index })))(
  'host $host over $hostTransport, upstream $upstream over $upstreamTransport, $kind: $must',
  async ({ index, ...cell }) => {
    await inTurn(`${cell.host} ${cell.hostTransport} ${serverOf(cell)}`, () => walk(cell, index, peers));
    walked.set(cell.must, (walked.get(cell.must) ?? 0) + 1);
  },
  60_000,
);

test('nothing was sent to any peer that its revision does not define', async () => {
  for (const host of HOSTS)
    for (const hostTransport of TRANSPORTS) {
      const { wire } = peers.host({ host, hostTransport });
      await checkWire(wire, { revision: host });
    }
  for (const upstream of peers.upstreams.values()) {
    expect(upstream.wire().length).toBeGreaterThan(0);
    await checkUpstreamWire(upstream);
  }
});
