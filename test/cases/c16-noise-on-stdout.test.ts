// C16: what a server prints on stdout besides messages breaks nothing, and is logged once with the server's name.
import { expect, test } from 'vitest';
import { CAN_ASK, scene } from '../support/scene.ts';

test.each([
  ['noise', ['--noise']],
  ['CRLF line ends', ['--crlf']],
  ['both', ['--noise', '--crlf']],
])('%s', async (_name, flags) => {
  const { host, gateway } = await scene({
    server: 'noisy',
    upstream: { flags },
    host: { capabilities: CAN_ASK, answer: () => ({ result: '{"action":"decline"}' }) },
  });
  for (let round = 0; round < 3; round++)
    expect((await host.ask()).answers).toEqual(['{"action":"decline"}']);
  expect(await host.call('whoami')).toContain('"pid"');
  const logged = gateway.process
    .stderr()
    .split('\n')
    .filter((line) => line.includes('noisy') && line.includes('skipped output'));
  expect(logged).toHaveLength(flags.includes('--noise') ? 1 : 0);
});
