// An accept typed in another process: how long until the upstream has it.
import { startGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';
import { median } from './interleave.ts';
import type { Line } from './types.ts';

const ROUNDS = 15;

export const accept: Line = {
  name: 'accept',
  title: '`mcpx elicit accept` in another process, to the upstream having the answer',
  async run(scope) {
    const upstream = await fixtureUpstream(scope, { transport: 'http' });
    const gateway = await startGateway(scope, { spawn: true, servers: { fixture: upstream.entry } });
    const host = await gateway.connect();
    const fromCommit: number[] = [];
    const whole: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const call = host.startCall('ask', { nonce: round });
      const row = await until('the row', async () => (await gateway.rows())[0]);
      const start = performance.now();
      const { code, stderr } = await gateway.mcpx(['elicit', 'accept', row.id, '-F', `repo=r${round}`]);
      if (code !== 0) throw new Error(`accept ended with ${code}: ${stderr}`);
      whole.push(performance.now() - start);
      await call.reply;
      const arrived = upstream.journal().find(({ text }) => text.includes(`"repo":"r${round}"`));
      const committed = (await gateway.row(row.id)).answer?.at;
      if (!arrived || !committed) throw new Error('the answer did not reach the upstream');
      fromCommit.push(arrived.at - Date.parse(committed));
    }
    return [
      { what: 'from the commit to the upstream, median', value: median(fromCommit), unit: 'ms', max: 50 },
      { what: 'from the commit to the upstream, worst', value: Math.max(...fromCommit), unit: 'ms' },
      { what: 'the whole command, median', value: median(whole), unit: 'ms' },
    ];
  },
};
