// One row's life in one process: opened, found, answered once, delivered.
import { describe, expect, it } from 'vitest';
import type { AnsweredBy } from '../../src/broker/types.ts';
import { question } from './question.ts';
import { bench } from './support.ts';

describe('a row', () => {
  it('is pending from its opening on, with an id and times', async () => {
    const broker = await bench().open();
    const row = await broker.open(question({ call: 'cal-0123456789abcdef', tool: 'create_issue' }));
    expect(row.id).toMatch(/^elc-[0-9a-f]{16}$/);
    expect(row.state).toBe('pending');
    expect(Date.parse(row.expiresAt) - Date.parse(row.createdAt)).toBe(600_000);
    expect(await broker.get(row.id)).toEqual(row);
    expect(await broker.list()).toEqual([row]);
  });

  it('keeps every fact it was opened with', async () => {
    const broker = await bench().open();
    const facts = question({
      mode: 'url',
      url: 'https://mcp.example.com/c?e=1&x=%20',
      elicitationId: 'e-1',
      method: 'tools/call',
      tool: 'create_issue',
      call: 'cal-d13e4c64102e9113',
      host: { name: 'claude-code', revision: '2025-11-25', inline: true },
      principal: 'ci',
      audience: 'host',
      sensitive: true,
    });
    const row = await broker.open(facts);
    const { ttl: _, ...rest } = facts;
    expect(await broker.get(row.id)).toMatchObject(rest);
  });

  it.each([
    ['accept', 'accepted'],
    ['decline', 'declined'],
    ['cancel', 'cancelled'],
  ] as const)('%s leaves it %s, and content goes with accept alone (C06)', async (action, state) => {
    const broker = await bench().open();
    const { id } = await broker.open(question());
    const { won, row } = await broker.answer(id, { action, content: '{"repo":"me/thing"}', by: 'cli' });
    expect(won).toBe(true);
    expect(row.state).toBe(state);
    expect(row.answer?.action).toBe(action);
    expect(row.answer?.content).toBe(action === 'accept' ? '{"repo":"me/thing"}' : undefined);
    expect('content' in (row.answer ?? {})).toBe(action === 'accept');
    expect(await broker.list()).toEqual([]);
    expect(await broker.list({ state })).toEqual([row]);
  });

  it('goes to the first answer; the others are told who won, how and when', async () => {
    const broker = await bench().open();
    const { id } = await broker.open(question());
    const surfaces: AnsweredBy[] = ['host', 'cli', 'tui', 'rest', 'rule:x'];
    const tries = await Promise.all(
      surfaces.map((by, n) =>
        broker.answer(id, { action: n % 2 ? 'decline' : 'accept', content: `${n}`, by }),
      ),
    );
    expect(tries.filter((one) => one.won)).toHaveLength(1);
    const final = await broker.get(id);
    for (const { row } of tries) expect(row).toEqual(final);
    expect(final.answer?.by).toBe('host');
  });

  it('cannot be answered once it was withdrawn or lost', async () => {
    const broker = await bench().open();
    const [a, b] = [await broker.open(question()), await broker.open(question())];
    expect(await broker.withdraw(a.id, 'the server took it back')).toMatchObject({ won: true });
    expect(await broker.lose(b.id, 'the server ended')).toMatchObject({ won: true });
    const late = await broker.answer(a.id, { action: 'accept', content: '{}', by: 'cli' });
    expect(late).toMatchObject({
      won: false,
      row: { state: 'withdrawn', reason: 'the server took it back' },
    });
    expect(late.row.answer).toBeUndefined();
    expect(await broker.answer(b.id, { action: 'decline', by: 'cli' })).toMatchObject({
      won: false,
      row: { state: 'lost', reason: 'the server ended' },
    });
  });

  it('is delivered once, and only when it has been settled', async () => {
    const broker = await bench().open();
    const { id } = await broker.open(question());
    expect((await broker.delivered(id)).deliveredAt).toBeUndefined();
    await broker.answer(id, { action: 'decline', by: 'tui' });
    const first = await broker.delivered(id);
    expect(first.deliveredAt).toBeDefined();
    expect(await broker.delivered(id)).toEqual(first);
  });

  it('is completed while it is still pending, without being answered by that', async () => {
    const broker = await bench().open();
    const { id } = await broker.open(question({ mode: 'url', url: 'https://a.example/' }));
    expect(await broker.completed(id)).toMatchObject({ state: 'pending' });
    expect((await broker.get(id)).completedAt).toBeDefined();
  });

  it('takes notes while it is pending', async () => {
    const broker = await bench().open();
    const host = { name: 'h', revision: '2025-06-18', inline: true } as const;
    const { id } = await broker.open(question({ host }));
    await broker.note(id, { reason: 'the host answered with an error', inline: false });
    expect(await broker.get(id)).toMatchObject({
      reason: 'the host answered with an error',
      host: { inline: false },
    });
    await broker.answer(id, { action: 'cancel', by: 'cli' });
    await broker.note(id, { reason: 'too late' });
    expect((await broker.get(id)).reason).toBe('the host answered with an error');
  });
});

describe('finding rows', () => {
  it('takes any unique prefix of an id', async () => {
    const broker = await bench().open();
    const row = await broker.open(question());
    expect(await broker.get(row.id.slice(0, 9))).toEqual(row);
    expect(await broker.get('e')).toEqual(row);
    await broker.open(question());
    await expect(broker.get('elc-')).rejects.toMatchObject({ code: 'usage' });
  });

  it.each(['elc-0000000000000000', 'elc-x', '', '%', "'; DROP TABLE rows", '\u001b[2J'])(
    'knows no row %j, and repeats nothing unsafe',
    async (id) => {
      const broker = await bench().open();
      await broker.open(question());
      const error = await broker.get(id).then(
        () => undefined,
        (thrown: Error) => thrown,
      );
      expect(error).toMatchObject({ code: 'not_found', hint: expect.stringContaining('mcpx elicit list') });
      expect(error?.message).not.toContain('\u001b');
      await expect(broker.answer(id, { action: 'cancel', by: 'cli' })).rejects.toMatchObject({
        code: 'not_found',
      });
    },
  );

  it('lists the soonest to expire first, then the oldest', async () => {
    const broker = await bench().open();
    const late = await broker.open(question({ ttl: 900_000 }));
    const soon = await broker.open(question({ ttl: 100_000 }));
    const middle = await broker.open(question({ ttl: 500_000 }));
    const ids = (await broker.list()).map((row) => row.id);
    expect(ids).toEqual([soon.id, middle.id, late.id]);
    expect((await broker.list({ limit: 2 })).map((row) => row.id)).toEqual(ids.slice(0, 2));
  });

  it('filters by state, server, audience and principal', async () => {
    const broker = await bench().open();
    const a = await broker.open(question({ server: 'a' }));
    const b = await broker.open(question({ server: 'b', audience: 'agent' }));
    const c = await broker.open(question({ server: 'a', principal: 'ci' }));
    await broker.answer(c.id, { action: 'decline', by: 'rest' });
    const ids = async (filter: Parameters<typeof broker.list>[0]): Promise<string[]> =>
      (await broker.list(filter)).map((row) => row.id);
    expect(await ids({ server: 'a' })).toEqual([a.id]);
    expect(await ids({ audience: 'agent' })).toEqual([b.id]);
    expect(await ids({ principal: 'ci' })).toEqual([]);
    expect(await ids({ principal: 'ci', state: 'all' })).toEqual([c.id]);
    expect(new Set(await ids({ state: 'all' }))).toEqual(new Set([a.id, b.id, c.id]));
  });
});

it("lists after another principal's row as after one that never was", async () => {
  const broker = await bench().open();
  const foreign = await broker.open(question({ principal: 'ada' }));
  const own = [
    await broker.open(question({ principal: 'ben' })),
    await broker.open(question({ principal: 'ben' })),
  ];
  const after = async (id: string) =>
    (await broker.list({ principal: 'ben', after: id })).map((row) => row.id);
  expect(await after(own[0]?.id ?? '')).toEqual([own[1]?.id]);
  expect(await after(foreign.id)).toEqual(await after('elc-0123456789abcdef'));
  expect((await broker.list({ after: foreign.id })).length).toBe(2);
});
