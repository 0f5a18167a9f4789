import { expect, test } from 'vitest';
import type { Answer, Row } from '../../src/broker/types.ts';
import { EXIT_CODES } from '../../src/errors.ts';
import { byWords, stateWords, tooLate, whoAsks } from '../../src/terminal/row-words.ts';

const HOSTILE = 'x\u001b[2J\u202e\ny';

function row(more: Partial<Row> = {}): Row {
  return {
    id: 'elc-9f2c1a84bb0e7d31',
    state: 'pending',
    server: 'github',
    mode: 'form',
    message: 'Which?',
    params: '{}',
    principal: 'local',
    audience: 'human',
    sensitive: false,
    createdAt: '2026-11-30T18:00:00.000Z',
    expiresAt: '2026-11-30T18:10:00.000Z',
    ...more,
  };
}

const answer = (by: Answer['by'], action: Answer['action'] = 'accept'): Answer => ({
  action,
  by,
  at: '2026-11-30T18:01:00.000Z',
});

test('who asks names server, tool and host, and says when the host shows the question too', () => {
  const host = { name: 'claude-code', revision: '2025-06-18', inline: true } as const;
  const facts = new Map(whoAsks(row({ method: 'tools/call', tool: 'create_issue', host })));
  expect(facts.get('Server')).toBe('github');
  expect(facts.get('Tool')).toBe('create_issue');
  expect(facts.get('Host')).toMatch(/^claude-code \(MCP 2025-06-18\); .*first answer wins$/);
  expect(facts.get('Answer to')).toContain('github');
  expect(new Map(whoAsks(row({ method: 'prompts/get', tool: 'p' }))).get('Prompt')).toBe('p');
  expect(new Map(whoAsks(row({ method: 'resources/read', tool: 'r' }))).get('Resource')).toBe('r');
});

test('what is not known is left out, and an answered row is no longer waited for', () => {
  expect(whoAsks(row({ state: 'accepted' }))).toEqual([['Server', 'github']]);
});

test.each([
  [answer('host'), {}, 'by the host'],
  [
    answer('host'),
    { host: { name: 'claude-code', revision: '2025-06-18', inline: true } },
    'by the host claude-code',
  ],
  [answer('cli'), {}, 'from the command line'],
  [answer('tui'), {}, 'in the terminal UI'],
  [answer('rest'), {}, 'over HTTP'],
  [answer('script'), {}, 'by the script that made the call'],
  [answer('agent'), {}, 'by the model'],
  [answer('mcpx'), {}, 'by mcpx'],
  [answer('rule:default repo'), {}, 'by the rule default repo'],
] as const)('%j was given %s %s', ({ by }, more, words) => {
  expect(byWords(by, row(more))).toBe(words);
});

test.each([
  [{ state: 'pending' }, 'waiting for an answer'],
  [{ state: 'accepted', answer: answer('cli') }, 'accepted from the command line at 18:01'],
  [{ state: 'declined', answer: answer('tui', 'decline') }, 'declined in the terminal UI at 18:01'],
  [{ state: 'cancelled', answer: answer('host', 'cancel') }, 'cancelled by the host at 18:01'],
  [{ state: 'expired' }, 'expired at 18:10: nobody answered in time, and github got a cancel'],
  [{ state: 'withdrawn', reason: 'the call was cancelled' }, 'withdrawn: the call was cancelled'],
  [{ state: 'withdrawn' }, 'withdrawn: the question was taken back'],
  [
    { state: 'lost', reason: 'the gateway stopped' },
    'lost: the gateway stopped; an answer would reach nobody',
  ],
] as const)('%j is said as %s', (more, words) => {
  expect(stateWords(row(more), (iso) => iso.slice(11, 16))).toBe(words);
});

test.each([
  ['accepted', 'already_answered'],
  ['declined', 'already_answered'],
  ['cancelled', 'already_answered'],
  ['expired', 'expired'],
  ['withdrawn', 'withdrawn'],
  ['lost', 'lost'],
] as const)('an answer to a row that is %s fails with %s, exit 7', (state, code) => {
  const error = tooLate(row({ state }));
  expect(error.code).toBe(code);
  expect(EXIT_CODES[error.code]).toBe(7);
  expect(error.hint).toContain('mcpx elicit show elc-9f2c1a84bb0e7d31');
});

test('nothing that came from outside reaches the terminal raw', () => {
  const host = { name: HOSTILE, revision: '2025-06-18', inline: false } as const;
  const said = [
    ...whoAsks(row({ server: HOSTILE, tool: HOSTILE, host })).flat(),
    stateWords(row({ state: 'lost', reason: HOSTILE })),
    stateWords(row({ state: 'accepted', host, answer: answer('host') })),
    stateWords(row({ state: 'accepted', answer: answer(`rule:${HOSTILE}`) })),
  ];
  for (const text of said) expect(text).not.toMatch(/[\u001b\u202e\n]/);
});
