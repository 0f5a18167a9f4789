import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { shortTime } from '../../../src/text/duration.ts';
import { until } from '../../support/until.ts';
import { bench } from './run.ts';

const TEXT = { type: 'string' };

test('reads values by the schema, fills defaults, and says that it was sent once the server has it', async () => {
  const { run, ask, broker } = await bench();
  const row = await ask(
    {
      code: TEXT,
      n: { type: 'integer' },
      ok: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } },
      note: TEXT,
      retries: { type: 'integer', default: 0 },
      left: TEXT,
    },
    { required: ['code', 'n', 'ok'] },
  );
  const running = run([
    'elicit',
    'accept',
    row.id,
    '-F',
    'code=012',
    '-F',
    'n=7',
    '-F',
    'ok=true',
    '-F',
    'tags=a',
    '-F',
    'tags=c',
    '-F',
    'note=',
  ]);
  const settled = await broker.settled(row.id);
  expect(settled.answer).toMatchObject({ action: 'accept', by: 'cli' });
  expect(settled.answer?.content).toBe(
    '{"code":"012","n":7,"ok":true,"tags":["a","c"],"note":"","retries":0}',
  );
  await broker.delivered(row.id);
  expect(await running).toEqual({ code: 0, stdout: `${row.id} accepted: sent to github\n`, stderr: '' });
});

test('recorded is said where nobody confirms', async () => {
  const { run, ask } = await bench();
  const row = await ask({});
  const { code, stdout } = await run(['elicit', 'accept', row.id]);
  expect(code).toBe(0);
  expect(stdout).toContain(`${row.id} accepted: recorded`);
}, 15_000);

test('--json prints the row, -q the id', async () => {
  const { run, ask, broker } = await bench();
  const [one, two] = [await ask({}), await ask({})];
  for (const row of [one, two]) void broker.settled(row.id).then(() => broker.delivered(row.id));
  const json = await run(['elicit', 'accept', one.id, '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ id: one.id, state: 'accepted', answer: { content: {} } });
  expect(JSON.parse(json.stdout).deliveredAt).toBeDefined();
  expect((await run(['elicit', 'accept', two.id, '-q'])).stdout).toBe(`${two.id}\n`);
});

test('every problem is listed, with the command to type next; nothing is sent and the row stays open', async () => {
  const { run, ask, broker } = await bench();
  const row = await ask(
    { repo: TEXT, n: { type: 'integer' }, mail: { type: 'string', format: 'email' } },
    { required: ['repo', 'n'] },
  );
  const args = ['elicit', 'accept', row.id, '-F', 'n=012', '-F', 'rpeo=x', '-F', 'mail=nobody'];
  const plain = await run(args);
  expect(plain).toMatchObject({ code: 8, stdout: '' });
  for (const name of ['repo', 'n', 'rpeo', 'mail']) expect(plain.stderr).toContain(`\n  ${name}: `);
  expect(plain.stderr).toContain(`mcpx elicit accept ${row.id} -F repo=TEXT -F n=NUMBER -F mail=TEXT`);
  const json = await run([...args, '--json']);
  expect(json).toMatchObject({ code: 8, stdout: '' });
  expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'invalid_answer' });
  expect((await broker.get(row.id)).state).toBe('pending');
});

test('--dry-run prints the exact content and sends nothing', async () => {
  const { run, ask, broker } = await bench();
  const row = await ask({ repo: TEXT }, { required: ['repo'] });
  const dry = await run(['elicit', 'accept', row.id, '-F', 'repo=x', '--dry-run', '--json']);
  expect(dry).toMatchObject({ code: 0, stdout: '{"repo":"x"}\n' });
  expect((await run(['elicit', 'accept', row.id, '--dry-run'])).code).toBe(8);
  expect((await broker.get(row.id)).state).toBe('pending');
});

test('values from files and standard input', async () => {
  const { run, ask, stateDir } = await bench();
  const row = await ask({ a: TEXT, b: TEXT, c: TEXT });
  writeFileSync(join(stateDir, 'a.txt'), 'from a file\nwith two lines\n');
  const args = ['elicit', 'accept', row.id, '--dry-run', '-F', 'a=@a.txt', '-F', 'c=@@ada'];
  const { stdout } = await run([...args, '-F', 'b=@-'], { stdin: 'piped\r\n' });
  expect(JSON.parse(stdout)).toEqual({ a: 'from a file\nwith two lines', b: 'piped', c: '@ada' });
  expect((await run([...args, '-F', 'b=@missing.txt'])).code).toBe(2);
  expect((await run([...args, '-F', 'b=@-', '-F', 'b=@-'], { stdin: 'x' })).code).toBe(2);
  expect((await run([...args, '-F', 'b'])).code).toBe(2);
});

test('C28: a secret is refused as an argument, with the ways that work, and not repeated', async () => {
  const { run, ask } = await bench();
  const row = await ask(
    { apiKey: { type: 'string', description: 'Your API key' } },
    { required: ['apiKey'] },
  );
  const refused = await run(['elicit', 'accept', row.id, '-F', 'apiKey=sk-test-123']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).not.toContain('sk-test');
  for (const way of ['apiKey=@-', 'apiKey=@FILE', '--input', 'mcpx elicit answer'])
    expect(refused.stderr).toContain(way);
  const taken = await run(['elicit', 'accept', row.id, '--dry-run', '-F', 'apiKey=@-'], {
    stdin: 'sk-test-123\n',
  });
  expect(taken.stdout).toBe('{"redacted":true}\n');
  expect(taken.stderr).toContain('Warning: this form seems to ask for a secret (apiKey)');
  expect(taken.stderr).not.toContain('sk-test');
});

test('--input takes the whole content', async () => {
  const { run, ask, stateDir } = await bench();
  const row = await ask({ n: { type: 'integer' } }, { required: ['n'] });
  const accept = ['elicit', 'accept', row.id, '--dry-run', '--input'];
  expect((await run([...accept, '-'], { stdin: ' {"n": 3}\n' })).stdout).toContain('"n"');
  writeFileSync(join(stateDir, 'broken.json'), '{\n  "n": x}');
  const broken = await run([...accept, 'broken.json']);
  expect(broken.code).toBe(8);
  expect(broken.stderr).toContain('line 2, column 8');
  const missing = await run([...accept, 'nowhere.json']);
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain('whole content as JSON');
  expect(missing.stderr).not.toContain('@');
  expect((await run([...accept, '-'], { stdin: '{"n":"3"}' })).code).toBe(8);
  expect((await run([...accept, '-', '-F', 'n=3'], { stdin: '{"n":3}' })).code).toBe(2);
});

test('unknown is 6; answered, expired, withdrawn and lost are 7 with who, how and when', async () => {
  const { run, ask, broker } = await bench();
  expect((await run(['elicit', 'accept', 'elc-0000000000000000', '--json'])).code).toBe(6);
  const [answered, withdrawn, lost] = [await ask({}), await ask({}), await ask({})];
  const won = await broker.answer(answered.id, { action: 'decline', by: 'rest' });
  await broker.withdraw(withdrawn.id, 'the call was cancelled');
  await broker.lose(lost.id, 'the gateway stopped');
  const late = await run(['elicit', 'accept', answered.id]);
  expect(late.code).toBe(7);
  expect(late.stderr).toContain(`declined over HTTP at ${shortTime(won.row.answer?.at ?? '')}`);
  const gone = await run(['elicit', 'accept', withdrawn.id, '--json']);
  expect(gone.code).toBe(7);
  expect(JSON.parse(gone.stderr).error).toMatchObject({ code: 'withdrawn' });
  expect(gone.stderr).toContain('the call was cancelled');
  const nobody = await run(['elicit', 'decline', lost.id, '--json']);
  expect(nobody.code).toBe(7);
  expect(JSON.parse(nobody.stderr).error).toMatchObject({ code: 'lost' });
});

test('of many answers at once one wins, and the others are told so', async () => {
  const { run, ask, broker } = await bench();
  const row = await ask({});
  void broker.settled(row.id).then(() => broker.delivered(row.id));
  const all = await Promise.all(Array.from({ length: 5 }, () => run(['elicit', 'decline', row.id, '-q'])));
  expect(all.map(({ code }) => code).toSorted()).toEqual([0, 7, 7, 7, 7]);
}, 20_000);

test('a terminal is shown the dry run inert, a pipe gets it exactly', async () => {
  const { run, ask } = await bench();
  const row = await ask({ a: { type: 'string', default: 'x\u202ey' } });
  const accept = ['elicit', 'accept', row.id, '--dry-run'];
  expect((await run(accept)).stdout).toBe('{"a":"x\u202ey"}\n');
  expect((await run(accept, { columns: 80 })).stdout).toBe('{"a":"x\\u{202e}y"}\n');
});

test('Ctrl+C while standard input is read ends with 130 and sends nothing', async () => {
  const { start, ask, broker } = await bench();
  const row = await ask({ a: TEXT });
  const stdin = new PassThrough();
  const accepting = start(['elicit', 'accept', row.id, '-F', 'a=@-'], { stdin });
  await until('the reading', () => stdin.listenerCount('readable') > 0);
  accepting.signal('SIGINT');
  expect(await accepting.done).toMatchObject({ code: 130, stdout: '', stderr: '' });
  expect((await broker.get(row.id)).state).toBe('pending');
});

test('Ctrl+C while delivery is waited for leaves the answer given', async () => {
  const { start, ask, broker } = await bench();
  const row = await ask({});
  const accepting = start(['elicit', 'accept', row.id]);
  await broker.settled(row.id);
  accepting.signal('SIGINT');
  expect((await accepting.done).stdout).toContain('accepted: recorded');
  expect((await broker.get(row.id)).state).toBe('accepted');
});
