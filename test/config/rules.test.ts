// The rules and tokens of the file: what they come to, where they come from, and every way in which one can be wrong.
import { expect, test } from 'vitest';
import { testScope } from '../support/scope.ts';
import { folder, SERVERS } from './support.ts';

const rule = (more: object) => ({ name: 'r', match: { server: 'one' }, do: 'decline', ...more });
const file = (elicit: object, more: object = {}) => ({ mcpServers: SERVERS, elicit, ...more });
const rules = (...all: object[]) => file({ rules: all });
const tokens = (...all: object[]) => ({ mcpServers: SERVERS, serve: { auth: { tokens: all } } });
const SHA = 'a0'.repeat(32);

test.each<[string, object, string]>([
  [
    'nothing to match',
    rules(rule({ match: {} })),
    'elicit.rules[0].match is empty and would match every question; name a server, a tool, a mode, a message or fields.',
  ],
  [
    'no match at all',
    rules({ name: 'r', do: 'decline' }),
    'elicit.rules[0].match is missing; it must be an object.',
  ],
  [
    'no fields to match',
    rules(rule({ match: { fields: [] } })),
    'elicit.rules[0].match.fields must be a list of at least one field name, not a list.',
  ],
  [
    'an unknown key to match',
    rules(rule({ match: { tol: 'x' } })),
    'elicit.rules[0].match.tol is not a known key; did you mean "tool"?',
  ],
  [
    'a server that there is not',
    rules(rule({ match: { server: 'github' } })),
    'elicit.rules[0].match.server is not a server of "mcpServers"; correct it, or remove the rule.',
  ],
  [
    'a server that is mistyped',
    rules(rule({ match: { server: 'onw' } })),
    'elicit.rules[0].match.server is not a server of "mcpServers"; did you mean "one"?',
  ],
  [
    'a message that is no regular expression',
    rules(rule({ match: { message: '(' } })),
    'elicit.rules[0].match.message is not a regular expression; correct it.',
  ],
  [
    'an accept of a URL',
    rules(rule({ match: { mode: 'url' }, do: 'accept', content: {} })),
    'elicit.rules[0].do cannot be "accept" for url questions: only a person can consent; use "decline" or "cancel".',
  ],
  [
    'fields of a URL',
    rules(rule({ match: { mode: 'url', fields: ['a'] } })),
    'elicit.rules[0].match.fields is for forms, and a url question has none.',
  ],
  [
    'an accept of nothing',
    rules(rule({ do: 'accept' })),
    'elicit.rules[0].content is missing; "accept" needs the values to answer with, {} for none.',
  ],
  [
    'a content of no use',
    rules(rule({ content: {} })),
    'elicit.rules[0].content goes with "accept" only; remove it, or change "do".',
  ],
  [
    'a content that is a list',
    rules(rule({ do: 'accept', content: [] })),
    'elicit.rules[0].content must be an object with values for the fields, not a list.',
  ],
  [
    'nobody to ask',
    rules(rule({ do: 'ask' })),
    'elicit.rules[0].audience is missing; "ask" needs "host", "human", "script" or "agent".',
  ],
  [
    'an audience of no use',
    rules(rule({ audience: 'human' })),
    'elicit.rules[0].audience goes with "ask" only; remove it, or change "do".',
  ],
  [
    'the rule as its own audience',
    rules(rule({ do: 'ask', audience: 'policy' })),
    'elicit.rules[0].audience must be "host", "human", "script" or "agent", not "policy".',
  ],
  [
    'people, where only the host may answer',
    file({ audience: 'host', rules: [rule({ do: 'ask', audience: 'human' })] }),
    'elicit.rules[0].audience cannot be "human" while "elicit.audience" is "host"; change one of them.',
  ],
  [
    'an unknown verb',
    rules(rule({ do: 'deny' })),
    'elicit.rules[0].do must be "accept", "decline", "cancel" or "ask", not "deny".',
  ],
  ['no name', rules(rule({ name: ' ' })), 'elicit.rules[0].name must be a name for the rule, not " ".'],
  [
    'the name of a setting',
    rules(rule({ name: 'sensitive' })),
    'elicit.rules[0].name is reserved for "elicit.sensitive"; choose another.',
  ],
  [
    'a name twice',
    rules(rule({}), rule({ do: 'cancel' })),
    'elicit.rules[1].name is also the name of another rule; choose another.',
  ],
  ['rules that are none', file({ rules: {} }), 'elicit.rules must be a list of rules, not an object.'],
  [
    'a wrong way with secrets',
    file({ sensitive: 'ask' }),
    'elicit.sensitive must be "seal" or "decline", not "ask".',
  ],
  [
    'a token in clear',
    tokens({ name: 'ci', sha256: 'secret' }),
    'serve.auth.tokens[0].sha256 must be the SHA-256 of a token as 64 hex digits, not a string.',
  ],
  [
    "the operator's name",
    tokens({ name: 'local', sha256: SHA }),
    'serve.auth.tokens[0].name must be a name other than "local", which is the operator\'s own, not "local".',
  ],
  [
    'one token for two',
    tokens({ name: 'a', sha256: SHA }, { name: 'b', sha256: SHA.toUpperCase() }),
    'serve.auth.tokens[1].sha256 is also the token of another entry; give each its own.',
  ],
])('%s', (_what, content, message) => {
  const { code, message: told } = folder(testScope(), content).failure();
  expect(told.replace(/^\/mcpx\.json:\d+: /, '')).toBe(message);
  expect(code).toBe('config');
});

test('each rule and each token stands in `mcpx config` with its line; a digest does not', () => {
  const here = folder(testScope(), {
    ...rules(rule({}), rule({ name: 's', match: { fields: ['a'] }, do: 'accept', content: { a: '$x' } })),
    ...{ serve: tokens({ name: 'ci', sha256: SHA }).serve },
  });
  const { shown } = here.load();
  const of = (key: string) => shown.find((one) => one.key === key);
  expect(of('elicit.rules[0]')).toMatchObject({
    value: { name: 'r', do: 'decline' },
    source: { from: 'config' },
  });
  expect(of('elicit.rules[1]')?.source.at).toMatch(/mcpx\.json:\d+$/);
  expect(of('serve.auth.tokens[0].name')?.value).toBe('ci');
  expect(JSON.stringify(shown)).not.toContain(SHA);
  expect(folder(testScope(), { mcpServers: SERVERS }).load().shown).toContainEqual({
    key: 'elicit.rules',
    value: [],
    source: { from: 'default' },
  });
});
