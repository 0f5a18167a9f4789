// Rules over real transports: tried before anybody is asked, on the row by name, and no more than they may.
import { expect, test } from 'vitest';
import type { RowView } from '../support/gateway.ts';
import { answersOf, CAN_ASK, type Scene, scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const REPO = '{"type":"object","properties":{"repo":{"type":"string"}},"required":["repo"]}';
const SECRET = '{"type":"object","properties":{"password":{"type":"string"}}}';
const ask = (message: string, schema = REPO) => ({
  params: `{"message":${JSON.stringify(message)},"requestedSchema":${schema}}`,
});
const accepted = (repo: string) => `{"action":"accept","content":{"repo":"${repo}"}}`;
const answer = (text: string) => () => ({ result: text });

function rowSaying({ gateway }: Scene, message: string): Promise<RowView> {
  return until(`the row saying ${message}`, async () =>
    (await gateway.rows(['--all'])).find((row) => row.message === message),
  );
}

test('a rule answers, and the host is not asked', async () => {
  const rules = [
    {
      name: 'default repo',
      match: { tool: 'ask', message: 'Where', fields: ['repo'] },
      do: 'accept',
      content: { repo: 'me/thing' },
    },
    { name: 'no', match: { message: '^Really' }, do: 'decline' },
    { name: 'later', match: { server: 'fixture' }, do: 'cancel' },
    { name: 'no urls', match: { mode: 'url' }, do: 'decline' },
  ];
  const it = await scene({
    host: { capabilities: '{"elicitation":{"form":{},"url":{}}}' },
    config: { elicit: { rules } },
  });
  const { host, gateway } = it;
  expect((await host.ask(ask('Where to?'))).answers).toEqual([accepted('me/thing')]);
  expect((await host.ask(ask('Really?'))).answers).toEqual(['{"action":"decline"}']);
  expect((await host.ask(ask('Maybe?'))).answers).toEqual(['{"action":"cancel"}']);
  const url = '{"mode":"url","message":"Sign in","url":"https://example.com/","elicitationId":"u1"}';
  expect((await host.ask({ params: url })).answers).toEqual(['{"action":"decline"}']);
  expect(host.questions).toEqual([]);

  const rows = await gateway.rows(['--all']);
  const by = Object.fromEntries(rows.map((row) => [row.message, row.answer?.by]));
  expect(by).toEqual({
    'Where to?': 'rule:default repo',
    'Really?': 'rule:no',
    'Maybe?': 'rule:later',
    'Sign in': 'rule:no urls',
  });
  const where = await rowSaying(it, 'Where to?');
  expect(where).toMatchObject({
    state: 'accepted',
    host: { inline: false },
    deliveredAt: expect.any(String),
  });

  const tried = await gateway.json<{ fires: string; rules: { name: string; result: string; why: string }[] }>(
    ['elicit', 'rules', 'test', where.id],
  );
  expect(tried.fires).toBe('default repo');
  expect(tried.rules.map(({ name, result }) => `${name}: ${result}`)).toEqual([
    'default repo: fires',
    'no: not-reached',
    'later: not-reached',
    'no urls: not-reached',
  ]);
  const human = await gateway.mcpx(['elicit', 'rules', 'test', where.id]);
  expect(human.stdout).toMatch(/default repo +accept +fires +it is the first that matches/);
  expect(human.stderr).toContain(`The rule default repo decides ${where.id}.`);
});

test('a rule that must not or can not answer leaves the question to the host and people, and says so', async () => {
  const rules = [
    { name: 'unfit', match: { message: 'unfit' }, do: 'accept', content: { repo: 1 } },
    { name: 'never', match: { fields: ['password'] }, do: 'accept', content: { password: 'x' } },
  ];
  const it = await scene({ host: { capabilities: CAN_ASK }, config: { elicit: { rules } } });
  it.host.answerWith(answer(accepted('typed')));
  expect((await it.host.ask(ask('unfit'))).answers).toEqual([accepted('typed')]);
  expect(await rowSaying(it, 'unfit')).toMatchObject({
    audience: 'human',
    host: { inline: true },
    answer: { by: 'host' },
    reason:
      'the rule "unfit" matches and does not answer: its content does not fit the question: repo: needs text',
  });
  it.host.answerWith(answer('{"action":"decline"}'));
  expect((await it.host.ask(ask('secret', SECRET))).answers).toEqual(['{"action":"decline"}']);
  expect(await rowSaying(it, 'secret')).toMatchObject({
    answer: { by: 'host' },
    reason: 'the rule "never" matches and does not answer: no rule accepts a question that asks for a secret',
  });
});

test('a rule says who is asked: people past the host, or the host alone', async () => {
  const rules = [
    { name: 'people', match: { message: 'people' }, do: 'ask', audience: 'human' },
    { name: 'host only', match: { message: 'host' }, do: 'ask', audience: 'host' },
  ];
  const it = await scene({ host: { capabilities: CAN_ASK }, config: { elicit: { rules } } });
  const { host, gateway } = it;
  const past = host.startCall('ask', ask('people'));
  const row = await rowSaying(it, 'people');
  expect(row).toMatchObject({ audience: 'human', host: { inline: false }, state: 'pending' });
  expect((await gateway.mcpx(['elicit', 'accept', row.id, '-F', 'repo=cli'])).code).toBe(0);
  expect(await answersOf(past.reply)).toEqual([accepted('cli')]);
  expect(host.questions).toEqual([]);

  const alone = host.startCall('ask', ask('host'));
  const question = await host.question(0);
  const { id } = await rowSaying(it, 'host');
  for (const verb of [
    ['accept', id, '-F', 'repo=x'],
    ['decline', id],
    ['cancel', id],
  ]) {
    const refused = await gateway.mcpx(['elicit', ...verb]);
    expect([verb[0], refused.code]).toEqual([verb[0], 3]);
    expect(refused.stderr).toContain('can only be answered in the host');
  }
  await host.reply(question, { result: accepted('host') });
  expect(await answersOf(alone.reply)).toEqual([accepted('host')]);
});

test('elicit.audience "host": rows are recorded, and the command line gets exit 3', async () => {
  const it = await scene({ host: { capabilities: CAN_ASK }, config: { elicit: { audience: 'host' } } });
  const call = it.host.startCall('ask', ask('m'));
  const question = await it.host.question(0);
  const row = await it.row();
  expect(row.audience).toBe('host');
  const refused = await it.gateway.mcpx(['elicit', 'decline', row.id, '--json']);
  expect(refused.code).toBe(3);
  expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'forbidden' } });
  await it.host.reply(question, { error: '{"code":-32000,"message":"cannot"}' });
  expect((await answersOf(call.reply))[0]).toContain('"cannot"');
  expect((await it.rowIn('cancelled')).answer?.by).toBe('mcpx');
});

test('elicit.sensitive "decline" refuses what asks for a secret, before any rule', async () => {
  const rules = [{ name: 'cancel all', match: { server: 'fixture' }, do: 'cancel' }];
  const it = await scene({
    host: { capabilities: CAN_ASK },
    config: { elicit: { sensitive: 'decline', rules } },
  });
  expect((await it.host.ask(ask('m', SECRET))).answers).toEqual(['{"action":"decline"}']);
  expect((await it.rowIn('declined')).answer).toMatchObject({ by: 'rule:sensitive' });
  expect((await it.host.ask(ask('n'))).answers).toEqual(['{"action":"cancel"}']);
});
