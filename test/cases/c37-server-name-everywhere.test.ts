// C37: the name of the server in the config stands on every surface, never what it calls itself, never "unknown".
import { expect, test } from 'vitest';
import { askedOf } from '../support/asking.ts';

test.each([
  ['what it calls itself', 'impostor'],
  ['nothing', ''],
])('a server that calls itself %s', async (_name, own) => {
  const { elicit, gateway, row0 } = await askedOf('{"type":"object","properties":{}}', {
    server: 'payments',
    upstream: { flags: ['--name', own] },
  });
  expect(row0.server).toBe('payments');
  for (const { stdout } of [await elicit('show'), await gateway.mcpx(['elicit', 'list'])]) {
    expect(stdout).toContain('payments');
    expect(stdout).not.toMatch(/unknown|impostor/i);
  }
  const done = await elicit('decline');
  expect(done.stdout + done.stderr).toContain('payments');
});
