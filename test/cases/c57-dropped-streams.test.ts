// C57: a host that opens streams and drops them leaves a bounded number behind, the newest of which can be resumed.
import { expect, test } from 'vitest';
import { openEndpoint, rpc } from '../host/support.ts';

test('of 100 dropped GET streams the last 64 are kept', async () => {
  const { open } = await openEndpoint();
  const session = await open();
  const ids: string[] = [];
  for (let count = 0; count < 100; count += 1) {
    const stream = await session.listen();
    ids.push((await stream.next()).id ?? '');
    stream.cut();
  }
  expect(new Set(ids).size).toBe(100);
  const status = async (id: string | undefined): Promise<number> => {
    const response = await session.get(id);
    await response.body?.cancel();
    return response.status;
  };
  // How soon each was seen to close is left open.
  for (const early of [0, 10, 20]) expect(await status(ids[early]), `stream ${early}`).toBe(400);
  expect(await status(ids[60])).toBe(200);
  expect(await status(ids[99])).toBe(200);
});

test('the streams of POSTs that were answered are bounded in the same way', async () => {
  const { open } = await openEndpoint();
  const session = await open();
  const ids: string[] = [];
  for (let id = 1; id <= 100; id += 1) {
    const response = await session.post(rpc({ id, method: 'plain' }), { accept: 'text/event-stream' });
    ids.push(/^id: (\S+)/.exec(await response.text())?.[1] ?? '');
  }
  expect(new Set(ids).size).toBe(100);
  const status = async (id: string | undefined): Promise<number> => {
    const response = await session.get(id);
    await response.body?.cancel();
    return response.status;
  };
  expect(await status(ids[0])).toBe(400);
  expect(await status(ids[99])).toBe(200);
});
