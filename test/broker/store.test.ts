// The parts under the broker: ids, migrations, waiting for locks, one connection.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newCallId, newRowId } from '../../src/broker/ids.ts';
import { Connection } from '../../src/broker/sqlite/connection.ts';
import { follow } from '../../src/broker/sqlite/follow.ts';
import { migrate } from '../../src/broker/sqlite/migrations.ts';
import { PatientQueue } from '../../src/broker/sqlite/patience.ts';
import { IsoTimes } from '../../src/broker/sqlite/rows.ts';
import { McpxError } from '../../src/errors.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';

function connection(): Connection {
  const scope = testScope();
  const db = new Connection(join(scope.dir(), 'x.db'), 1_000);
  scope.defer(() => db.close());
  return db;
}

describe('ids', () => {
  it('are a prefix and 16 hex digits, never the same', () => {
    expect(newRowId()).toMatch(/^elc-[0-9a-f]{16}$/);
    expect(newCallId()).toMatch(/^cal-[0-9a-f]{16}$/);
    expect(new Set(Array.from({ length: 1_000 }, newRowId)).size).toBe(1_000);
  });
});

describe('migrate', () => {
  const steps = ['CREATE TABLE a (x)', 'ALTER TABLE a ADD COLUMN y; UPDATE a SET y = x * 2'];
  const version = (db: Connection): unknown => db.all('PRAGMA user_version');

  it('runs each step once, in order, from wherever the database stands', () => {
    const db = connection();
    migrate(db, 'dir', steps.slice(0, 1));
    db.run('INSERT INTO a (x) VALUES (?)', 4);
    migrate(db, 'dir', steps);
    migrate(db, 'dir', steps);
    expect(db.all('SELECT x, y FROM a')).toEqual([{ x: 4, y: 8 }]);
    expect(version(db)).toEqual([{ user_version: 2 }]);
  });

  it('takes everything back when a step fails', () => {
    const db = connection();
    migrate(db, 'dir', steps.slice(0, 1));
    expect(() => migrate(db, 'dir', [...steps, 'CREATE TABLE a (x)'])).toThrow();
    expect(version(db)).toEqual([{ user_version: 1 }]);
    expect(db.all('PRAGMA table_info(a)')).toHaveLength(1);
  });

  it('refuses a newer database', () => {
    const db = connection();
    migrate(db, 'dir', steps);
    expect(() => migrate(db, 'dir', steps.slice(0, 1))).toThrow(
      expect.objectContaining({ code: 'store_newer' }),
    );
    expect(version(db)).toEqual([{ user_version: 2 }]);
  });
});

describe('a connection', () => {
  it('takes null, numbers beyond 2^32 and texts of every length', () => {
    const db = connection();
    db.exec('CREATE TABLE t (a INTEGER, b TEXT)');
    const text = 'ß'.repeat(1 << 20);
    db.run('INSERT INTO t VALUES (?, ?)', 1_764_530_000_123, text);
    db.run('INSERT INTO t (b) VALUES (?)', null);
    expect(db.all('SELECT a, b FROM t')).toEqual([
      { a: 1_764_530_000_123, b: text },
      { a: null, b: null },
    ]);
  });

  it('takes a transaction back when its body throws, and goes on', () => {
    const db = connection();
    db.exec('CREATE TABLE t (a INTEGER PRIMARY KEY)');
    const failing = (): void => {
      db.run('INSERT INTO t VALUES (?)', 1);
      db.run('INSERT INTO t VALUES (?)', 1);
    };
    expect(() => db.transaction(failing)).toThrow();
    expect(db.all('SELECT a FROM t')).toEqual([]);
    db.transaction(() => db.run('INSERT INTO t VALUES (?)', 2));
    expect(db.all('SELECT a FROM t')).toEqual([{ a: 2 }]);
  });

  it('fails quietly once closed: the driver would take the process with it', () => {
    const db = connection();
    db.close();
    db.close();
    expect(() => db.all('SELECT 1')).toThrow(expect.objectContaining({ code: 'interrupted' }));
    expect(() => db.transaction(() => 1)).toThrow(expect.objectContaining({ code: 'interrupted' }));
  });
});

describe('times', () => {
  it('are those of toISOString, to the millisecond', () => {
    const times = new IsoTimes();
    const base = Date.parse('2026-11-30T23:59:58.000Z');
    for (const ms of [0, 1, 9, 10, 99, 100, 999, 1_000, 1_999, 2_000, 61_234, 86_400_007]) {
      expect(times.of(base + ms)).toBe(new Date(base + ms).toISOString());
      expect(times.of(base + ms)).toBe(new Date(base + ms).toISOString());
    }
  });
});

describe('waiting for a lock', () => {
  const busy = (): never => {
    throw new McpxError('store_busy', 'locked');
  };

  it('tries again until it is free, in the order of asking', async () => {
    const clock = fakeClock();
    const queue = new PatientQueue(clock, 1_000);
    let locked = true;
    const done: string[] = [];
    const work = (name: string) => (): void => {
      if (locked) busy();
      done.push(name);
    };
    const all = Promise.all(['a', 'b', 'c'].map((name) => queue.run(work(name))));
    await clock.pass(500, 10);
    expect(done).toEqual([]);
    locked = false;
    await clock.pass(200, 10);
    await all;
    expect(done).toEqual(['a', 'b', 'c']);
    expect(clock.timers).toBe(0);
  });

  it('costs one attempt a round, however many wait, and less and less often', async () => {
    const clock = fakeClock();
    const queue = new PatientQueue(clock, 10_000);
    let attempts = 0;
    const rejected: unknown[] = [];
    for (let n = 0; n < 100; n += 1) {
      const waiting = queue.run(() => {
        attempts += 1;
        busy();
      });
      waiting.catch((error: unknown) => rejected.push(error));
    }
    await clock.pass(9_000, 5);
    expect(attempts).toBeLessThan(110);
    expect(rejected).toEqual([]);
    await clock.pass(2_000, 5);
    expect(rejected).toHaveLength(100);
  });

  it('gives each operation its own time, and its own failure at once', async () => {
    const clock = fakeClock();
    const queue = new PatientQueue(clock, 1_000);
    const first = expect(queue.run(busy)).rejects.toMatchObject({ code: 'store_busy' });
    await clock.pass(600, 10);
    const second = queue.run(() => 'done');
    const third = expect(queue.run(() => Promise.reject(new Error('own')))).rejects.toThrow('own');
    await clock.pass(600, 10);
    await first;
    expect(await second).toBe('done');
    await third;
  });
});

describe('following other processes', () => {
  function following(dir: string): {
    clock: ReturnType<typeof fakeClock>;
    looks: () => number;
    commit: () => void;
    told: () => number;
  } {
    const clock = fakeClock();
    let looks = 0;
    let told = 0;
    let committed = false;
    const stop = follow({
      dir,
      files: ['x'],
      clock,
      poll: 500,
      changed() {
        looks += 1;
        const was = committed;
        committed = false;
        return was;
      },
      onChange() {
        told += 1;
      },
    });
    onTestFinished(stop);
    return {
      clock,
      looks: () => looks,
      told: () => told,
      commit() {
        committed = true;
      },
    };
  }

  it('works by a slow poll where there are no file events', () => {
    const { clock, commit, told, looks } = following('/no/such/directory');
    commit();
    clock.advance(499);
    expect(told()).toBe(0);
    clock.advance(1);
    expect(told()).toBe(1);
    clock.advance(5_000);
    expect(told()).toBe(1);
    expect(looks()).toBe(12);
  });

  it('looks at a file event, and again soon after for a commit that was not visible yet', async () => {
    const dir = testScope().dir();
    const { clock, commit, told, looks } = following(dir);
    writeFileSync(join(dir, 'another'), '');
    writeFileSync(join(dir, 'x'), '');
    await until('a look', () => looks() > 1);
    expect(told()).toBe(0);
    commit();
    clock.advance(1);
    expect(told()).toBe(1);
  });
});
