import { expect, test } from 'vitest';
import { bench } from './run.ts';

test('watch tells of the questions that wait, then of each change; Ctrl+C ends it with 130 and changes nothing', async () => {
  const { start, ask, broker } = await bench();
  const first = await ask({});
  const watch = start(['elicit', 'watch', '--json']);
  await watch.lines(1);
  expect(await broker.watched()).toBe(true);
  const second = await ask({}, { message: 'two' });
  await watch.lines(2);
  await broker.answer(first.id, { action: 'decline', by: 'tui' });
  await watch.lines(3);
  await broker.delivered(first.id);
  const lines = (await watch.lines(4)).map((line) => JSON.parse(line));
  expect(lines.map(({ event, row }) => [event, row.id])).toEqual([
    ['opened', first.id],
    ['opened', second.id],
    ['answered', first.id],
    ['delivered', first.id],
  ]);
  watch.signal('SIGINT');
  expect(await watch.done).toMatchObject({ code: 130, stderr: '' });
  expect((await broker.get(second.id)).state).toBe('pending');
  await expect.poll(() => broker.watched()).toBe(false);
});

test('C32: watch ends quietly when its reader has gone', async () => {
  const { start, ask } = await bench();
  await ask({});
  const watch = start(['elicit', 'watch', '--json']);
  await watch.lines(1);
  watch.closeReader();
  await ask({});
  expect(await watch.done).toMatchObject({ code: 0, stderr: '' });
});

test('watch -q prints the ids of what opens, and --server chooses', async () => {
  const { start, ask, broker } = await bench();
  const watch = start(['elicit', 'watch', '-q', '--server', 'linear']);
  await expect.poll(() => broker.watched()).toBe(true);
  await ask({});
  const one = await ask({}, { server: 'linear' });
  await broker.answer(one.id, { action: 'decline', by: 'tui' });
  const two = await ask({}, { server: 'linear' });
  expect(await watch.lines(2)).toEqual([one.id, two.id]);
  watch.signal('SIGTERM');
  expect((await watch.done).code).toBe(143);
});

test('wait ends at once with a question that waits already', async () => {
  const { run, ask } = await bench();
  await ask({}, { ttl: 900_000 });
  const soon = await ask({}, { ttl: 300_000 });
  expect(await run(['elicit', 'wait', '-q'])).toEqual({ code: 0, stdout: `${soon.id}\n`, stderr: '' });
  expect((await run(['elicit', 'wait', '--timeout', 'soon'])).code).toBe(2);
});

test('wait ends with the first question of the server it names', async () => {
  const { start, ask, broker } = await bench();
  const wait = start(['elicit', 'wait', '--json', '--server', 'linear']);
  await expect.poll(() => broker.watched()).toBe(true);
  await ask({});
  const row = await ask({}, { server: 'linear' });
  const { code, stdout } = await wait.done;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ id: row.id, state: 'pending' });
});

test('wait gives up with 124, and is interrupted with 130', async () => {
  const { run, start, broker } = await bench();
  const late = await run(['elicit', 'wait', '--timeout', '50ms', '--json']);
  expect(late).toMatchObject({ code: 124, stdout: '' });
  expect(JSON.parse(late.stderr).error.code).toBe('timeout');
  const wait = start(['elicit', 'wait']);
  await expect.poll(() => broker.watched()).toBe(true);
  wait.signal('SIGINT');
  expect(await wait.done).toMatchObject({ code: 130, stdout: '', stderr: '' });
});
