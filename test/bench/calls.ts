// What mcpx adds to a tools/call, HTTP to HTTP, beside what a bare byte proxy adds.
import { connectClient } from './client.ts';
import { interleave, median } from './interleave.ts';
import { startFastUpstream, startMcpx, startProxy } from './peers.ts';
import type { Line, Measure } from './types.ts';

const ROUNDS = 30;
const BLOCK_MS = 120;

export const calls: Line = {
  name: 'calls',
  title: 'tools/call, HTTP to HTTP, against a bare node:http → undici proxy',
  async run(scope) {
    const direct = await startFastUpstream(scope);
    const connect = async (url: string) => {
      const client = await connectClient(scope, url, '{}');
      return () => client.call('echo');
    };
    const sides = {
      direct: await connect(direct),
      proxy: await connect(await startProxy(scope, direct)),
      mcpx: await connect(await startMcpx(scope, direct)),
    };
    const measures: Measure[] = [];
    for (const width of [1, 16]) {
      const blocks = await interleave(sides, { rounds: ROUNDS, ms: BLOCK_MS, width });
      const p50 = (side: keyof typeof sides) => median(blocks[side].map((block) => block.p50));
      const rates = blocks.mcpx.map(({ rate }, round) => rate / (blocks.proxy[round]?.rate ?? Number.NaN));
      const added = (side: keyof typeof sides) => p50(side) - p50('direct');
      const at = `${width} at once`;
      measures.push(
        {
          what: `${at}: added latency, mcpx ÷ proxy`,
          value: added('mcpx') / added('proxy'),
          unit: '×',
          max: 1.4,
        },
        { what: `${at}: throughput, mcpx ÷ proxy`, value: median(rates), unit: '×', min: 0.8 },
        { what: `${at}: p50 direct`, value: p50('direct'), unit: 'ms' },
        { what: `${at}: p50 proxy`, value: p50('proxy'), unit: 'ms' },
        { what: `${at}: p50 mcpx`, value: p50('mcpx'), unit: 'ms' },
      );
    }
    return measures;
  },
};
