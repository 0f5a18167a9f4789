// `mcpx servers`: each upstream started once, in the newest revision that it speaks, and what is wrong with the others.
import { expect, test } from 'vitest';
import { install } from '../support/gateway.ts';
import { testScope } from '../support/scope.ts';
import { fixtureUpstream } from '../support/upstream.ts';

interface Report {
  readonly name: string;
  readonly state: string;
  readonly era?: string;
  readonly revision?: string;
  readonly serverInfo?: unknown;
  readonly tools?: number;
}

test('era and revision are those that were spoken', async () => {
  const scope = testScope();
  const older = await fixtureUpstream(scope, { transport: 'stdio', revision: '2025-06-18' });
  const newer = await fixtureUpstream(scope, { transport: 'stdio', revision: '2026-07-28' });
  const http = await fixtureUpstream(scope, { transport: 'http', revision: '2026-07-28', flags: ['--dual'] });
  const here = install(scope, {
    servers: {
      older: older.entry,
      newer: { ...newer.entry, era: 'modern' },
      both: http.entry,
      'as-legacy': { ...http.entry, era: 'legacy' },
      'not-modern': { ...older.entry, era: 'modern' },
      off: { ...older.entry, disabled: true },
    },
  });
  const looked = await here.mcpx(['servers', '--json']);
  expect(looked.code).toBe(5);
  const reports = JSON.parse(looked.stdout) as Report[];
  const facts = reports.map(({ name, state, era, revision }) => [name, state, era, revision]);
  expect(facts).toEqual([
    ['older', 'ready', 'legacy', '2025-06-18'],
    ['newer', 'ready', 'modern', '2026-07-28'],
    ['both', 'ready', 'modern', '2026-07-28'],
    ['as-legacy', 'ready', 'legacy', '2025-11-25'],
    ['not-modern', 'failed', undefined, undefined],
    ['off', 'disabled', undefined, undefined],
  ]);
  expect(reports[1]).toMatchObject({
    serverInfo: { name: 'fixture', version: '1.0.0' },
    tools: expect.any(Number),
  });

  const { stdout } = await here.mcpx(['servers']);
  const line = (name: string): string | undefined =>
    stdout.split('\n').find((one) => one.includes(` ${name} `));
  expect(line('newer')).toMatch(/ready {2}stdio, 2026-07-28, \d+ tools, 2 prompts, 3 resources/);
  expect(line('older')).toContain('stdio, 2025-06-18, ');
  expect(line('not-modern')).toContain('failed  not-modern: does not speak 2026-07-28: ');
  expect(stdout).toContain('Take "era": "modern" out of mcpServers.not-modern, or update the server.');
});
