// Answers to questions that ask for a secret: readable only by the gateway that holds the call, and gone once delivered.
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { AnswerKey, sealAnswer } from '../../src/broker/sealed-answer.ts';
import { systemClock } from '../../src/clock.ts';
import { holding } from '../support/traces.ts';
import { until } from '../support/until.ts';
import { startActor } from './actor.ts';
import { question } from './question.ts';
import { bench } from './support.ts';

const NEEDLE = 'sk-test-8f41c0';
const content = `{"apiKey":"${NEEDLE}"}`;
const secret = question({ sensitive: true });

/** What another program finds in the row. */
function stored(stateDir: string, id: string): { content: string | null; sealed: string | null } {
  const db = new Database(join(stateDir, 'mcpx.db'));
  try {
    return db.prepare('SELECT content, sealed FROM rows WHERE id = ?').all([id])[0] as never;
  } finally {
    db.close();
  }
}

describe('a seal', () => {
  it('opens with its own key, for its own row, unchanged; with nothing else', () => {
    const key = new AnswerKey();
    for (const text of ['{}', content, `{"a":"${'ü🔑'.repeat(50_000)}"}`]) {
      const sealed = sealAnswer(key.publicKey, 'elc-1', text);
      expect(sealed).not.toContain(NEEDLE);
      expect(key.open('elc-1', sealed)).toBe(text);
      expect(sealAnswer(key.publicKey, 'elc-1', text)).not.toBe(sealed);
      expect(() => key.open('elc-2', sealed)).toThrow('cannot be opened');
      expect(() => new AnswerKey().open('elc-1', sealed)).toThrow('cannot be opened');
    }
  });

  it('that was tampered with, cut or made up does not open', () => {
    const key = new AnswerKey();
    const bytes = Buffer.from(sealAnswer(key.publicKey, 'elc-1', content), 'base64url');
    for (const at of [0, 31, 32, 43, 44, bytes.length - 17, bytes.length - 1]) {
      const wrong = Buffer.from(bytes);
      wrong[at] = (wrong[at] ?? 0) ^ 1;
      expect(() => key.open('elc-1', wrong.toString('base64url')), `byte ${at}`).toThrow('cannot be opened');
    }
    for (const wrong of ['', 'x', bytes.toString('base64url').slice(0, 60), content])
      expect(() => key.open('elc-1', wrong)).toThrow('cannot be opened');
  });
});

describe('the answer of another process', () => {
  it('is read by the owner, by nobody else, and erased when delivered, from the log of changes too', async () => {
    const { scope, stateDir, open } = bench();
    const gateway = await open('gateway');
    const { id } = await gateway.open(secret);
    const command = await startActor(scope, stateDir, { role: 'command' });
    const settled = await command.answer(id, { action: 'accept', content, by: 'cli' });
    expect(settled).toMatchObject({ won: true, row: { state: 'accepted', answer: { action: 'accept' } } });
    expect(JSON.stringify(settled)).not.toContain(NEEDLE);

    expect((await gateway.settled(id)).answer?.content).toBe(content);
    expect((await gateway.get(id)).answer?.content).toBeUndefined();
    expect((await command.settled(id)).answer?.content).toBeUndefined();
    const { sealed, ...row } = stored(stateDir, id);
    expect(row).toEqual({ content: null });
    expect(holding(stateDir, sealed ?? '?')).not.toEqual([]);

    await gateway.delivered(id);
    await until('the seal to be gone', () => holding(stateDir, sealed ?? '?').length === 0);
    expect(stored(stateDir, id)).toEqual({ content: null, sealed: null });
    expect((await gateway.settled(id)).answer).toMatchObject({ action: 'accept', by: 'cli' });
    expect(holding(stateDir, NEEDLE)).toEqual([]);
  });

  it('in the same process is sealed all the same, and changes carry none of it', async () => {
    const { stateDir, open } = bench();
    const gateway = await open('gateway');
    const { id } = await gateway.open(secret);
    await gateway.answer(id, { action: 'accept', content, by: 'host' });
    expect(holding(stateDir, NEEDLE)).toEqual([]);
    expect((await gateway.settled(id)).answer?.content).toBe(content);
    const stop = new AbortController();
    for await (const { event, row } of gateway.changes({ since: 0, signal: stop.signal })) {
      expect(JSON.stringify(row)).not.toContain(NEEDLE);
      if (event === 'answered') break;
    }
  });

  it('is not lost to a log that somebody reads: it is emptied as soon as that one has done', async () => {
    const { stateDir, open } = bench();
    const gateway = await open('gateway');
    const { id } = await gateway.open(secret);
    await gateway.answer(id, { action: 'accept', content, by: 'cli' });
    const { sealed } = stored(stateDir, id);
    const reader = new Database(join(stateDir, 'mcpx.db'));
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM rows').all([]);
    await gateway.delivered(id);
    expect((await gateway.get(id)).deliveredAt).toBeDefined();
    expect(holding(stateDir, sealed ?? '?')).toEqual([join(stateDir, 'mcpx.db-wal')]);
    reader.exec('COMMIT');
    reader.close();
    await until('the log to be emptied', () => holding(stateDir, sealed ?? '?').length === 0);
  });

  it('that cannot be delivered is erased after a minute', async () => {
    const { stateDir, open } = bench();
    const late: (() => void)[] = [];
    const clock = {
      ...systemClock,
      after: (ms: number, fire: () => void) => {
        if (ms !== 60_000) return systemClock.after(ms, fire);
        late.push(fire);
        return { cancel() {} };
      },
    };
    const gateway = await open('gateway', { clock });
    const { id } = await gateway.open(secret);
    await gateway.answer(id, { action: 'accept', content, by: 'cli' });
    await gateway.settled(id);
    expect(late).toHaveLength(1);
    late[0]?.();
    await until('it to be erased', () => stored(stateDir, id).sealed === null);
  });
});

describe('after a kill -9', () => {
  it('of the gateway nobody can read what was answered, and the next to sweep erases it', async () => {
    const { scope, stateDir, open } = bench();
    const gateway = await startActor(scope, stateDir);
    const { id } = await gateway.open(secret);
    const command = await open('command');
    await command.answer(id, { action: 'accept', content, by: 'cli' });
    const { sealed } = stored(stateDir, id);
    expect(sealed).not.toBeNull();
    await gateway.process.stop('SIGKILL');
    expect((await command.settled(id)).answer?.content).toBeUndefined();
    expect(holding(stateDir, NEEDLE)).toEqual([]);

    const next = await open('gateway');
    expect((await next.settled(id)).answer?.content).toBeUndefined();
    expect(stored(stateDir, id).sealed).toBeNull();
    await until('the seal to be gone', () => holding(stateDir, sealed ?? '?').length === 0);
  });

  it('of the answering process, at any moment, nothing stands anywhere in clear', async () => {
    const { scope, stateDir, open } = bench();
    const gateway = await open('gateway');
    for (let round = 0; round < 5; round += 1) {
      const rows = await Promise.all(Array.from({ length: 20 }, () => gateway.open(secret)));
      const command = await startActor(scope, stateDir, { role: 'command' });
      let answered = 0;
      for (const { id } of rows)
        command.answer(id, { action: 'accept', content, by: 'cli' }).then(
          () => {
            answered += 1;
          },
          () => {},
        );
      await until('some answers', () => answered > round * 2);
      await command.process.stop('SIGKILL');
      expect(holding(stateDir, NEEDLE)).toEqual([]);
      for (const { id } of rows) {
        const row = await gateway.get(id);
        if (row.state === 'accepted') expect((await gateway.settled(id)).answer?.content).toBe(content);
        else expect(row.state).toBe('pending');
      }
    }
  });
});

describe('a question without an owner (a sealed round)', () => {
  it('is accepted by its host alone, and what the host says is not kept; others may refuse it', async () => {
    const { stateDir, open } = bench();
    const gateway = await open('gateway');
    const command = await open('command');
    const { id } = await gateway.open({ ...secret, sealed: true });
    await expect(command.answer(id, { action: 'accept', content, by: 'cli' })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('asks for a secret'),
    });
    expect(await gateway.answer(id, { action: 'accept', content, by: 'host' })).toMatchObject({ won: true });
    expect((await gateway.settled(id)).answer).toMatchObject({ action: 'accept', by: 'host' });
    expect(stored(stateDir, id)).toEqual({ content: null, sealed: null });
    const other = await gateway.open({ ...secret, sealed: true });
    expect(await command.answer(other.id, { action: 'decline', by: 'cli' })).toMatchObject({ won: true });
    expect(holding(stateDir, NEEDLE)).toEqual([]);
  });
});
