import { expect, test } from 'vitest';
import { bench } from './run.ts';

test('shows who asks, the message, the form and what to type next', async () => {
  const { run, ask } = await bench();
  const row = await ask(
    {
      repo: { type: 'string', title: 'Repository', description: 'Where it goes', minLength: 3 },
      labels: {
        type: 'array',
        items: {
          anyOf: [
            { const: 'bug', title: 'A fault' },
            { const: 'idea', title: 'idea' },
          ],
        },
      },
      private: { type: 'boolean', default: true },
    },
    { required: ['repo'], message: 'Which repository?\nPick one.' },
  );
  const { code, stdout, stderr } = await run(['elicit', 'show', row.id.slice(0, 12)]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const text of [
    'github',
    'create_issue',
    'an-editor',
    '  Pick one.',
    'repo: Repository; Where it goes',
  ]) {
    expect(stdout).toContain(text);
  }
  expect(stdout).toMatch(/repo +text, at least 3 characters +yes/);
  expect(stdout).toMatch(/labels +some of a list +no +bug \(A fault\), idea/);
  expect(stdout).toMatch(/private +yes or no +no +true \(boolean\)/);
  expect(stdout).toContain(`mcpx elicit accept ${row.id} -F repo=TEXT\n`);
  expect(stdout).toContain(`mcpx elicit decline ${row.id}`);
});

test('C28: warns of a secret by name, and not of an email address', async () => {
  const { run, ask } = await bench();
  const row = await ask({ apiKey: { type: 'string' }, email: { type: 'string', format: 'email' } });
  const { stdout } = await run(['elicit', 'show', row.id]);
  expect(stdout.replaceAll('\n', ' ')).toMatch(/Warning: .*\(apiKey\)/);
});

test('a name that means something to a shell is quoted in the command to copy', async () => {
  const { run, ask } = await bench();
  const row = await ask({ 'a; touch x': { type: 'string' } }, { required: ['a; touch x'] });
  expect((await run(['elicit', 'show', row.id])).stdout).toContain(`-F 'a; touch x=TEXT'`);
});

test('C04: says what is unusual', async () => {
  const { run, ask } = await bench();
  const row = await ask(
    { addr: { type: 'object', properties: { zip: { type: 'string' } } } },
    { required: ['addr'] },
  );
  const { stdout } = await run(['elicit', 'show', row.id]);
  expect(stdout).toMatch(/addr +raw JSON/);
  expect(stdout).toContain(`-F addr=JSON`);
});

test('an answered question shows its answer, and --json keeps the data as it came', async () => {
  const { run, ask, broker } = await bench();
  const message = 'a \u001b[1m\u202e b';
  const row = await ask({ n: { type: 'integer' } }, { message });
  await broker.answer(row.id, { action: 'accept', content: '{"n":9007199254740993}', by: 'tui' });
  const { stdout } = await run(['elicit', 'show', row.id]);
  expect(stdout).toContain('accepted in the terminal UI at');
  expect(stdout).toContain('{"n":9007199254740993}');
  expect(stdout).not.toContain('\u001b');
  const json = (await run(['elicit', 'show', row.id, '--json'])).stdout;
  expect(JSON.parse(json).message).toBe(message);
  expect(json).toContain('9007199254740993');
  expect(json.trimEnd()).not.toContain('\n');
});

test('unknown ids, and prefixes of several', async () => {
  const { run, ask } = await bench();
  const ids = [(await ask({})).id, (await ask({})).id];
  expect((await run(['elicit', 'show', 'elc-nothing'])).code).toBe(6);
  const several = await run(['elicit', 'show', 'elc-', '--json']);
  expect(several).toMatchObject({ code: 2, stdout: '' });
  const { error } = JSON.parse(several.stderr);
  for (const id of ids) expect(`${error.message} ${error.hint}`).toContain(id);
});

test.each(['', '.', '..', '../health', 'a/b', '%2e%2e', 'a'.repeat(300), '\u001b[2J'])(
  'what cannot be an id is no question: %j',
  async (id) => {
    const { run, ask } = await bench();
    await ask({});
    const ran = await run(['elicit', 'show', id, '--json']);
    expect(ran).toMatchObject({ code: 6, stdout: '' });
    expect(JSON.parse(ran.stderr).error.code).toBe('not_found');
  },
);

test('a URL question shows where it leads and what is odd about it, in full', async () => {
  const { run, broker } = await bench();
  const url = `http://paypal.com@xn--pypal-4ve.example/${'a'.repeat(200)}?q=1`;
  const facts = {
    server: 'github',
    mode: 'url',
    message: 'Sign in',
    params: '{}',
    principal: 'local',
    audience: 'human',
    sensitive: false,
    ttl: 60_000,
  } as const;
  const row = await broker.open({ ...facts, url });
  const { code, stdout } = await run(['elicit', 'show', row.id]);
  expect(code).toBe(0);
  expect(stdout).toContain(`\n${url}\n`);
  expect(stdout).toMatch(/Warning: .*not encrypted/);
  expect(stdout).toContain(`mcpx elicit decline ${row.id}`);
  expect(stdout).toContain(`mcpx elicit accept ${row.id} --yes`);
  const odd = await broker.open({ ...facts, url: 'javascript:alert(1)' });
  const shown = (await run(['elicit', 'show', odd.id])).stdout;
  expect(shown).toContain('cannot be opened: javascript');
  expect(shown).not.toContain('mcpx elicit accept');
  await broker.answer(row.id, { action: 'accept', by: 'cli' });
  expect((await run(['elicit', 'show', row.id])).stdout).toContain(`mcpx elicit done ${row.id}`);
  await broker.completed(row.id);
  expect((await run(['elicit', 'show', row.id])).stdout).toMatch(/Finished at \d\d:\d\d\./);
});

test('the answer to a sensitive question is not shown', async () => {
  const { run, ask, broker } = await bench();
  const row = await ask({ apiKey: { type: 'string' } }, { sensitive: true });
  await broker.answer(row.id, { action: 'accept', content: '{"apiKey":"sk-test-123"}', by: 'tui' });
  for (const flags of [[], ['--json']]) {
    const { stdout } = await run(['elicit', 'show', row.id, ...flags]);
    expect(stdout).toContain('accepted');
    expect(stdout).not.toContain('sk-test');
  }
});

test('a column in which nothing stands is left out', async () => {
  const { run, ask } = await bench();
  const plain = await ask({ repo: { type: 'string' } });
  expect((await run(['elicit', 'show', plain.id])).stdout).toMatch(/^FIELD +KIND +REQUIRED$/m);
  const choice = await ask({ repo: { type: 'string' }, kind: { enum: ['a', 'b'] } });
  expect((await run(['elicit', 'show', choice.id])).stdout).toMatch(/^FIELD +KIND +REQUIRED +CHOICES$/m);
  const filled = await ask({ n: { type: 'integer', default: 0 } });
  expect((await run(['elicit', 'show', filled.id])).stdout).toMatch(/^FIELD +KIND +REQUIRED +DEFAULT$/m);
});

test.each([
  [{ env: { LC_ALL: 'C.UTF-8' } }, '…'],
  [{ env: { LC_ALL: 'C' } }, '...'],
])('of more than 20 choices the rest is counted, unless all are wanted: %j', async (how, ellipsis) => {
  const { run, ask } = await bench();
  const names = Array.from({ length: 51 }, (_, index) => `c${index}`);
  const row = await ask({ pick: { type: 'string', enum: names }, few: { enum: names.slice(0, 20) } });
  const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');
  const short = flat((await run(['elicit', 'show', row.id], how)).stdout);
  expect(short).toContain(`c18, c19, ${ellipsis} and 31 more; --all-choices or --json lists them`);
  expect(short).not.toContain('c20');
  const long = flat((await run(['elicit', 'show', row.id, '--all-choices'], how)).stdout);
  expect(long).toContain(names.join(', '));
  expect((await run(['elicit', 'show', row.id, '--json'])).stdout).toContain('"c50"');
});

test('choices that do not fit beside the rest stand below it, whole', async () => {
  const { run, ask } = await bench();
  const names = Array.from({ length: 20 }, (_, index) => `choice-number-${index}`);
  const row = await ask({ pick: { type: 'string', enum: names } });
  const { stdout } = await run(['elicit', 'show', row.id, '--color', 'never'], { columns: 60 });
  for (const line of stdout.split('\n')) expect(line.startsWith('  mcpx') || line.length <= 60).toBe(true);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`choices: ${names.join(', ')}`);
});
