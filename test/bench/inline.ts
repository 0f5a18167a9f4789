// A question that the host answers at once, from call to result, beside host and upstream talking directly.
import { connectClient } from './client.ts';
import { interleave, median } from './interleave.ts';
import { startFastUpstream, startMcpx } from './peers.ts';
import type { Line } from './types.ts';

export const inline: Line = {
  name: 'inline',
  title: 'an inline question, call to result, against host and upstream talking directly',
  async run(scope) {
    const url = await startFastUpstream(scope);
    const connect = async (at: string) => {
      const client = await connectClient(scope, at, '{"elicitation":{}}');
      return () => client.call('ask');
    };
    const sides = { direct: await connect(url), mcpx: await connect(await startMcpx(scope, url)) };
    const blocks = await interleave(sides, { rounds: 25, ms: 150, width: 1 });
    const direct = median(blocks.direct.map(({ p50 }) => p50));
    const mcpx = median(blocks.mcpx.map(({ p50 }) => p50));
    return [
      { what: 'call to result, mcpx ÷ direct', value: mcpx / direct, unit: '×', max: 1.8 },
      { what: 'p50 direct', value: direct, unit: 'ms' },
      { what: 'p50 mcpx', value: mcpx, unit: 'ms' },
    ];
  },
};
