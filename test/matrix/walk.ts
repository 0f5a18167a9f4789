// Walks one cell: has the upstream ask, answers where the table says that the question must be, and holds everything against it.
import { expect } from 'vitest';
import { type RawReply, toolText } from '../support/host.ts';
import { within } from '../support/until.ts';
import { type CellHost, type Peers, type Shown, serverOf } from './peers.ts';
import { type Asked, formFor, requiring, urlFor } from './questions.ts';
import type { Cell } from './table.ts';

/** Milliseconds a cell may wait for anything; a machine may be busy with other things. */
const PATIENCE = 20_000;

/** Throws where the cell does not what it must. */
export async function walk(cell: Cell, index: number, peers: Peers): Promise<void> {
  const server = serverOf(cell);
  const host = peers.host(cell);
  const asked = questionsOf(cell, server, `m${index}`);
  const shown = new Gathering(asked);
  for (const { mark } of asked) peers.shows.set(mark, (one) => shown.take(one));
  const scene: Scene = { cell, server, host, asked, shown, peers, key: `m${index}` };
  switch (cell.must) {
    case 'carried':
      await carried(scene);
      break;
    case 'kept':
      await kept(scene);
      break;
    case 'refused as it came':
    case 'refused in words':
      await refused(scene);
      break;
  }
}

interface Scene {
  readonly cell: Cell;
  readonly server: string;
  readonly host: CellHost;
  readonly asked: readonly Asked[];
  readonly shown: Gathering;
  readonly peers: Peers;
  /** Tells the calls of this cell from those of others where the fixture counts. */
  readonly key: string;
}

function questionsOf(cell: Cell, server: string, mark: string): Asked[] {
  switch (cell.kind) {
    case 'form':
      return [formFor(cell, server, mark)];
    case 'two':
      return [formFor(cell, server, `${mark}-a`), formFor(cell, server, `${mark}-b`)];
    case 'url':
    case '-32042':
      return [urlFor(cell, server, mark)];
  }
}

/** Holds every answer back until all questions are there, so that those that go out together must be out together. */
class Gathering {
  readonly all: Shown[] = [];
  readonly #asked: readonly Asked[];
  #complete: () => void = () => {};
  readonly #whole = new Promise<void>((resolve) => {
    this.#complete = resolve;
  });

  constructor(asked: readonly Asked[]) {
    this.#asked = asked;
  }

  async take(shown: Shown): Promise<string> {
    this.all.push(shown);
    if (this.all.length === this.#asked.length) this.#complete();
    await this.#whole;
    const asked = this.#asked.find(({ mark }) => String(shown.params['message']).includes(`[${mark}]`));
    return asked?.answer ?? '';
  }
}

/** Starts the call that makes the upstream ask. */
function start({ cell, server, host, asked, key }: Scene): Promise<RawReply> {
  if (cell.kind === '-32042') return host.call(`${server}__fail`, { error: requiring(asked), times: 1, key });
  return host.call(`${server}__ask`, { params: asked.map(({ params }) => params), nonce: key });
}

async function carried(scene: Scene): Promise<void> {
  const { cell, server, host, asked, shown, peers } = scene;
  const reply = start(scene);
  for (const { mark } of asked) {
    const row = await peers.book.row(mark, 'an accepted row', ({ state }) => state === 'accepted', PATIENCE);
    if (cell.kind === '-32042') await finish(scene, row.id);
  }
  await expectDone(scene, reply);
  // Each question once, spelled for the host and for no other, and no more of them.
  expect(shown.all.map(withoutId)).toHaveLength(asked.length);
  for (const one of asked)
    expect(shown.all.map(withoutId)).toContainEqual({ method: 'elicitation/create', params: one.shown });
  for (const { params } of shown.all)
    expect('elicitationId' in params).toBe(params['mode'] === 'url' && cell.host === '2025-11-25');
  for (const { mark } of asked)
    expect(await delivered(peers, mark)).toMatchObject({
      server,
      host: { revision: host.revision, inline: true },
      answer: { action: 'accept', by: 'host' },
    });
}

async function kept(scene: Scene): Promise<void> {
  const { cell, server, host, asked, shown, peers } = scene;
  const reply = start(scene);
  const { broker } = peers.book;
  for (const { mark, answer } of asked) {
    const row = await peers.book.row(mark, 'a pending row', ({ state }) => state === 'pending', PATIENCE);
    const { content } = JSON.parse(answer) as { content?: unknown };
    const text = content === undefined ? {} : { content: JSON.stringify(content) };
    expect(await broker.answer(row.id, { action: 'accept', by: 'cli', ...text })).toMatchObject({
      won: true,
    });
    if (cell.kind === '-32042') await broker.completed(row.id);
  }
  await expectDone(scene, reply);
  expect(shown.all).toEqual([]);
  for (const { mark } of asked)
    expect(await delivered(peers, mark)).toMatchObject({
      server,
      host: { revision: host.revision, inline: false },
      answer: { action: 'accept', by: 'cli' },
    });
}

async function refused(scene: Scene): Promise<void> {
  const { cell, server, host, asked, shown, peers, key } = scene;
  const reply = await within('the refusal', start(scene), PATIENCE);
  const error = 'error' in reply ? reply.error : `no error: ${reply.result}`;
  if (cell.must === 'refused as it came') expect(error).toBe(requiring(asked));
  else
    expect(JSON.parse(error)).toEqual({
      code: -32603,
      message: expect.stringMatching(
        new RegExp(`^${server} needs .*\\[${key}\\] \\(https://mcp\\.example\\.com/`),
      ),
    });
  expect(shown.all).toEqual([]);
  expect(peers.book.about(key)).toEqual([]);
  // The tool has run once, for the call itself.
  const again = await host.call(`${server}__fail`, { times: 1, key });
  expect(toolText(again)).toBe('succeeded at call 2');
}

/** The upstream has every answer as it was given, in its own question's place. */
async function expectDone({ cell, asked, key }: Scene, reply: Promise<RawReply>): Promise<void> {
  const text = toolText(await within('the result', reply, PATIENCE));
  if (cell.kind === '-32042') expect(text).toBe('succeeded at call 2');
  else expect(JSON.parse(text)).toEqual({ nonce: key, answers: asked.map(({ answer }) => answer) });
}

/** The person has finished at the URL: the upstream says so, or the person where it cannot. */
async function finish({ cell, server, host, asked, peers }: Scene, row: string): Promise<void> {
  if (cell.host === '2026-07-28') {
    await peers.book.broker.completed(row);
    return;
  }
  const [first] = asked;
  const params = JSON.stringify({ elicitationId: `u-${first?.mark}` });
  const method = 'notifications/elicitation/complete';
  expect(toolText(await host.call(`${server}__notify`, { method, params }))).toBe('notified');
}

function delivered(peers: Peers, mark: string): Promise<unknown> {
  const has = (row: { deliveredAt?: string }): boolean => row.deliveredAt !== undefined;
  return peers.book.row(mark, 'a delivered row', has, PATIENCE);
}

function withoutId({ method, params }: Shown): Shown {
  const { elicitationId: _id, ...rest } = params;
  return { method, params: rest };
}
