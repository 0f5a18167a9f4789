// C33: the browser cannot be opened: that is said, the URL stays to be copied, and what was consented to stands.
import { expect, test } from 'vitest';
import { scene } from '../support/scene.ts';
import { urlParams } from '../support/url.ts';

const NO_BROWSER = { BROWSER: '/bin/false', DISPLAY: '', WAYLAND_DISPLAY: '' };

test.skipIf(process.platform !== 'linux')('an opener that exits 1', async () => {
  const { host, row, gateway } = await scene({ spawn: true, host: { capabilities: '{}' } });
  const call = host.startCall('ask', { params: urlParams() });
  const { id } = await row();
  const opened = await gateway.mcpx(['elicit', 'accept', id, '--yes', '--open'], { env: NO_BROWSER });
  expect(opened.code).toBe(1);
  expect(opened.stdout).toContain('sent to fixture');
  expect(opened.stderr).toContain('could not be opened');
  expect(opened.stderr).toContain('Open it yourself: https://mcp.example.com/connect?x=1&y=2');
  expect(opened.stdout + opened.stderr).not.toMatch(/waiting/i);
  expect(await call.reply).toHaveProperty('result', expect.stringContaining('accept'));
});
