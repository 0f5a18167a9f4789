// The package as another program imports it: the built entry that package.json names.
import { expect, it } from 'vitest';
import { testScope } from './support/scope.ts';

it('opens a broker and prints its rows', async () => {
  // By its own name, so that `exports` of package.json is what is tried.
  const mcpx: typeof import('../src/index.ts') = await import('mcpx' as string);
  const stateDir = testScope().dir();
  const { systemClock: clock, silent: log } = mcpx;
  const broker = await mcpx.openBroker({ stateDir, clock, log, role: 'command', keep: 60_000 });
  try {
    expect(await broker.list()).toEqual([]);
    await expect(broker.get('elc-0')).rejects.toSatisfy(mcpx.isMcpxError);
  } finally {
    await broker.close();
  }
});
