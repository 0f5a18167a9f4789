// C18: a server that floods stderr is read, bounded and cleaned; its question arrives, and nothing of it reaches a terminal raw.
import { expect, test } from 'vitest';
import { CAN_ASK, scene } from '../support/scene.ts';

test('256 KiB on stderr before the first message and again before the question', async () => {
  const { host, gateway } = await scene({
    transport: 'stdio',
    upstream: { flags: ['--stderr-flood', '262144'] },
    host: { capabilities: CAN_ASK, answer: () => ({ result: '{"action":"decline"}' }) },
  });
  const outcome = JSON.parse(await host.call('noise', { bytes: 256 * 1024 })) as { answers: string[] };
  expect(outcome.answers).toEqual(['{"action":"decline"}']);
  expect(await host.call('whoami')).toContain('"pid"');
  const written = gateway.process.stderr();
  expect(written).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  expect(written.length).toBeLessThan(64 * 1024);
});
