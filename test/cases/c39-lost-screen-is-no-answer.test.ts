// C39: a screen that goes away is no answer.
import { expect, test } from 'vitest';
import { scene } from '../support/scene.ts';
import { hasTmux } from '../support/tmux.ts';
import { tuiPane } from '../support/tui-pane.ts';
import { until } from '../support/until.ts';
import { fakeTui } from '../tui/fake-tui.ts';

const TEXT = { schema: { properties: { repo: { type: 'string' } }, required: ['repo'] } };

test.each(['inbox', 'form', 'review', 'consent'])('a signal in the %s changes no row', async (where) => {
  const tui = await fakeTui({
    asked: [where === 'consent' ? { mode: 'url', url: 'https://example.com/' } : TEXT],
  });
  if (where !== 'inbox') await tui.press('enter');
  if (where === 'review') {
    await tui.type('me/thing');
    await tui.press('enter');
  }
  tui.stop();
  await tui.done;
  expect(tui.source.answers).toEqual([]);
  expect(tui.source.isWatched).toBe(false);
  expect([...tui.source.rows.values()].map(({ state }) => state)).toEqual(['pending']);
});

test.skipIf(!hasTmux()).each(['the terminal is closed', 'the process is killed'])(
  '%s: no row changes',
  async (way) => {
    const { scope, host, gateway, row } = await scene({ host: { capabilities: '{}' } });
    void host.startCall('ask');
    const { id } = await row();
    const pane = await tuiPane(scope, gateway.env);
    pane.keys('Enter');
    await pane.see('Answer to');
    if (way === 'the terminal is closed') pane.close();
    else process.kill(pane.pid, 'SIGKILL');
    await until('the end of mcpx tui', () => !isAlive(pane.pid));
    expect((await gateway.row(id)).state).toBe('pending');
  },
);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
