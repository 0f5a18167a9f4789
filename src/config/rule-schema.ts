// What one entry of `elicit.rules` may hold (docs/broker.md, "Who may answer").

import { z } from 'zod';
import type { Rule, RuleAction, RuleMatch } from '../broker/rules.ts';
import { jsonOf } from '../protocol/json-text.ts';
import { filled, oneOf, section } from './parts.ts';

/** Answers by this name are those of `elicit.sensitive`. */
const RESERVED = 'sensitive';

const match = section({
  server: filled('the name of a server').optional(),
  tool: filled('the name of a tool').optional(),
  mode: oneOf(['form', 'url']).optional(),
  message: filled('a regular expression').optional(),
  fields: z
    .array(filled('the name of a field'), { error: 'a list of field names' })
    .min(1, { error: 'a list of at least one field name' })
    .optional(),
});

const raw = section({
  name: filled('a name for the rule'),
  match,
  do: oneOf(['accept', 'decline', 'cancel', 'ask']),
  content: z.record(z.string(), z.unknown(), { error: 'an object with values for the fields' }).optional(),
  audience: oneOf(['host', 'human', 'script', 'agent']).optional(),
});

type Raw = z.output<typeof raw>;

/** One rule, with everything refused that could not do what it seems to say. */
export const rule = raw.superRefine(checkRule).transform(toRule);

/** All rules; each has a name of its own, since rows are answered `by` it. */
export const rules = z.array(rule, { error: 'a list of rules' }).superRefine((all, context) => {
  const seen = new Set<string>();
  for (const [index, { name }] of all.entries()) {
    if (seen.has(name)) {
      context.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: 'is also the name of another rule; choose another',
        params: { clause: true },
      });
    }
    seen.add(name);
  }
});

function checkRule(given: Raw, context: z.core.$RefinementCtx): void {
  const say = (path: string[], clause: string, yields = false): void => {
    context.addIssue({ code: 'custom', path, message: clause, params: { clause: true, yields } });
  };
  const { match: wanted, content, audience } = given;
  if (given.name === RESERVED) say(['name'], 'is reserved for "elicit.sensitive"; choose another');
  if (Object.values(wanted).every((value) => value === undefined)) {
    say(
      ['match'],
      'is empty and would match every question; name a server, a tool, a mode, a message or fields',
      true,
    );
  }
  if (wanted.message !== undefined && !isExpression(wanted.message))
    say(['match', 'message'], 'is not a regular expression; correct it');
  if (wanted.mode === 'url') {
    if (wanted.fields !== undefined) say(['match', 'fields'], 'is for forms, and a url question has none');
    if (given.do === 'accept')
      say(
        ['do'],
        'cannot be "accept" for url questions: only a person can consent; use "decline" or "cancel"',
      );
  }
  if (given.do === 'accept' && content === undefined)
    say(['content'], 'is missing; "accept" needs the values to answer with, {} for none');
  if (given.do !== 'accept' && content !== undefined)
    say(['content'], `goes with "accept" only; remove it, or change "do"`);
  if (given.do === 'ask' && audience === undefined)
    say(['audience'], 'is missing; "ask" needs "host", "human", "script" or "agent"');
  if (given.do !== 'ask' && audience !== undefined)
    say(['audience'], 'goes with "ask" only; remove it, or change "do"');
}

function toRule({ name, match: wanted, do: what, content, audience }: Raw): Rule {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  return { name, match: Object.fromEntries(given) as RuleMatch, action: actionOf(what, content, audience) };
}

function actionOf(what: Raw['do'], content: Raw['content'], audience: Raw['audience']): RuleAction {
  switch (what) {
    case 'accept':
      return { do: what, content: jsonOf(content ?? {}) };
    case 'ask':
      return { do: what, audience: audience ?? 'human' };
    case 'decline':
    case 'cancel':
      return { do: what };
  }
}

function isExpression(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
