// What stateless hosts that listen are told: each change once, however many channels of the server bring it.
import { expect, test } from 'vitest';
import type { Channel } from '../../../src/gateway/channels/channel.ts';
import { Listeners } from '../../../src/gateway/channels/listeners.ts';
import type { Catalog } from '../../../src/gateway/routing/catalog.ts';
import { KnownServers } from '../../../src/gateway/routing/servers.ts';
import { silent } from '../../../src/log.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { incoming } from './support.ts';

const CHANGED = { method: 'notifications/tools/list_changed', params: '{}', origin: undefined };
const updated = (uri: string) => ({
  method: 'notifications/resources/updated',
  params: JSON.stringify({ uri }),
  origin: undefined,
});

async function listening() {
  const clock = fakeClock();
  const known = new KnownServers(['one'], clock, silent);
  known.learn('one', {
    revision: '2026-07-28',
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
    serverInfo: '{}',
    instructions: undefined,
  });
  const channel = { ready: () => Promise.reject(new Error('not there')), close: async () => {} };
  const catalog = { serverOf: () => 'one' };
  const listeners = new Listeners({
    servers: ['one'],
    catalog: catalog as unknown as Catalog,
    known,
    clock,
    log: silent,
    makeLine: () => channel as unknown as Channel,
  });
  const host = incoming({ method: 'subscriptions/listen', params: undefined });
  await listeners.listen(host, { tools: true, prompts: false, resources: false, uris: ['mem://a'] });
  return { clock, listeners, host, told: () => host.told.map(({ method }) => method) };
}

test('a change that three channels of a server bring is told once', async () => {
  const { clock, listeners, told } = await listening();
  for (let channel = 0; channel < 3; channel += 1) listeners.tell(CHANGED);
  clock.advance(1_000);
  expect(told()).toEqual([CHANGED.method]);
});

test('the next change is told again, and two resources are two changes', async () => {
  const { clock, listeners, host, told } = await listening();
  listeners.tell(CHANGED);
  clock.advance(1_000);
  listeners.tell(CHANGED);
  for (const uri of ['mem://a/1', 'mem://a/2', 'mem://a/1', 'mem://b']) listeners.tell(updated(uri));
  clock.advance(1_000);
  expect(told()).toEqual([
    CHANGED.method,
    CHANGED.method,
    ...Array.from({ length: 2 }, () => 'notifications/resources/updated'),
  ]);
  expect(host.told.slice(2).map(({ params }) => JSON.parse(params ?? '{}').uri)).toEqual([
    'mem://a/1',
    'mem://a/2',
  ]);
});

test('what nobody listens for sets no timer', async () => {
  const { clock, listeners } = await listening();
  const before = clock.timers;
  listeners.tell({ method: 'notifications/progress', params: '{}', origin: undefined });
  listeners.tell({ method: 'notifications/prompts/list_changed', params: '{}', origin: undefined });
  expect(clock.timers).toBe(before);
});
