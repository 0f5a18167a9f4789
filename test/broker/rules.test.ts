// Which rule decides a question: a table of matches, of what no rule may do, and of the order.
import { afterAll, describe, expect, test } from 'vitest';
import {
  decidingRule,
  judgeRules,
  type Rule,
  type RuleAction,
  type RuleMatch,
  type RuleQuestion,
} from '../../src/broker/rules.ts';
import { openChecks } from '../../src/checks/open.ts';

const SCHEMA =
  '{"type":"object","properties":{"repo":{"type":"string","minLength":2},"count":{"type":"integer"},"__proto__":{"type":"string"}},"required":["repo"]}';
const form: RuleQuestion = {
  server: 'github',
  mode: 'form',
  message: 'Which repository?\nChoose well.',
  requestedSchema: SCHEMA,
  method: 'tools/call',
  tool: 'create_issue',
  sensitive: false,
};
const { requestedSchema: _, ...url } = { ...form, mode: 'url' as const };

const rule = (match: RuleMatch, action: RuleAction = { do: 'decline' }, name = 'r'): Rule => ({
  name,
  match,
  action,
});
const checks = openChecks();
afterAll(() => checks.close());
const judged = async (rules: Rule[], question = form, sensitive: 'seal' | 'decline' = 'seal') =>
  (await judgeRules({ rules, sensitive }, question, checks)).map(
    ({ name, result, why }) => `${name} ${result}: ${why}`,
  );

describe('a match', () => {
  test.each<[RuleMatch, RuleQuestion, string]>([
    [{ server: 'github' }, form, 'fires: it is the first that matches'],
    [{ server: 'git' }, form, 'no-match: it is for the server git'],
    [{ server: 'GitHub' }, form, 'no-match: it is for the server GitHub'],
    [{ tool: 'create_issue' }, form, 'fires: it is the first that matches'],
    [{ tool: 'create' }, form, 'no-match: it is for the tool create'],
    [
      { tool: 'create_issue' },
      { ...form, method: 'prompts/get' },
      'no-match: it is for the tool create_issue',
    ],
    [{ mode: 'form' }, form, 'fires: it is the first that matches'],
    [{ mode: 'url' }, form, 'no-match: it is for url questions'],
    [{ server: 'github' }, url, 'no-match: it is for form questions'],
    [{ mode: 'url' }, url, 'fires: it is the first that matches'],
    [{ message: 'repository\\?$' }, form, 'no-match: the message does not match repository\\?$'],
    [{ message: '^Which .*\\n' }, form, 'fires: it is the first that matches'],
    [{ message: 'WHICH' }, form, 'no-match: the message does not match WHICH'],
    [{ fields: ['repo', 'count'] }, form, 'fires: it is the first that matches'],
    [{ fields: ['__proto__'] }, form, 'fires: it is the first that matches'],
    [{ fields: ['repo', 'constructor'] }, form, 'no-match: the question has no field constructor'],
    [
      { server: 'github', tool: 'create_issue', message: '.', fields: ['repo'] },
      form,
      'fires: it is the first that matches',
    ],
    [{ server: 'github', fields: ['owner'] }, form, 'no-match: the question has no field owner'],
  ])('%j', async (match, question, expected) => {
    expect(await judged([rule(match)], question)).toEqual([`r ${expected}`]);
  });

  test('by a catastrophic expression ends in time and decides nothing', async () => {
    const started = performance.now();
    const question = { ...form, message: `${'a'.repeat(40)}!` };
    expect(await judged([rule({ message: '^(a+)+$' })], question)).toEqual([
      'r void: the message could not be checked against ^(a+)+$ in time',
    ]);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('an accept', () => {
  const accept = (content: string): RuleAction => ({ do: 'accept', content });

  test.each([
    ['{"repo":"me/thing"}', form, 'fires: it is the first that matches'],
    ['{"repo":"x"}', form, 'void: its content does not fit the question: repo: needs at least 2 characters'],
    ['{}', form, 'void: its content does not fit the question: repo: required'],
    ['{"repo":"me/thing","extra":1}', form, 'void: its content does not fit the question: extra'],
    [
      '{"repo":"me/thing"}',
      { ...form, sensitive: true },
      'void: no rule accepts a question that asks for a secret',
    ],
  ])('of %s', async (content, question, expected) => {
    const [verdict] = await judged([rule({ server: 'github' }, accept(content))], question);
    expect(verdict?.startsWith(`r ${expected}`), verdict).toBe(true);
  });

  test('of a url question never happens, whoever wrote the rule', async () => {
    expect(await judged([rule({ mode: 'url' }, accept('{}'))], url)).toEqual([
      'r void: consent to open a URL is for a person to give',
    ]);
  });
});

test('the first match decides, also when it does not answer', async () => {
  const rules = [
    rule({ server: 'other' }, { do: 'decline' }, 'a'),
    rule({ server: 'github' }, { do: 'accept', content: '{}' }, 'b'),
    rule({ fields: ['repo'] }, { do: 'cancel' }, 'c'),
  ];
  expect((await judged(rules)).map((one) => one.split(':')[0])).toEqual([
    'a no-match',
    'b void',
    'c not-reached',
  ]);
  expect((await decidingRule({ rules, sensitive: 'seal' }, form, checks))?.name).toBe('b');
  expect(await decidingRule({ rules: [], sensitive: 'decline' }, form, checks)).toBeUndefined();
});

test('elicit.sensitive "decline" comes before every rule', async () => {
  const rules = [rule({ server: 'github' }, { do: 'cancel' })];
  expect(await judged(rules, { ...form, sensitive: true }, 'decline')).toEqual([
    'sensitive fires: the question asks for a secret, and elicit.sensitive is "decline"',
    'r not-reached: sensitive comes before it',
  ]);
  expect(await judged(rules, form, 'decline')).toEqual([
    'sensitive no-match: the question asks for no secret',
    'r fires: it is the first that matches',
  ]);
});
