// What the configuration says of one question: a rule's answer, or who may be asked.
import { decidingRule, type RuleQuestion } from '../../broker/rules.ts';
import type { AnsweredBy, Audience } from '../../broker/types.ts';
import type { Settings } from '../../config/types.ts';
import type { FormChecks } from '../../form/checks.ts';
import type { Action, JsonText } from '../../protocol/types.ts';

/** The answer of a rule, as the broker takes it. */
export interface RuledAnswer {
  readonly action: Action;
  readonly content?: JsonText;
  readonly by: AnsweredBy;
}

export interface Ruling {
  /** A rule answers, and nobody is asked. */
  readonly answer?: RuledAnswer;
  readonly audience: Audience;
  /** Whether the host may be shown the question. */
  readonly host: boolean;
  /** Whether anybody but the host may answer it. */
  readonly others: boolean;
  /** For the row: that a rule chose who is asked, or why one that matches does not answer. */
  readonly reason?: string;
}

/** Tried before anybody is asked (design/3-broker.md, "Who may answer"). */
export async function rulingOn(
  settings: Settings,
  question: RuleQuestion,
  checks: FormChecks,
): Promise<Ruling> {
  const { elicit } = settings;
  const usual: Ruling =
    elicit.audience === 'host'
      ? { audience: 'host', host: true, others: false }
      : { audience: 'human', host: true, others: true };
  const verdict = await decidingRule(elicit, question, checks);
  if (verdict === undefined) return usual;
  const { name, action, result, why, undecided } = verdict;
  if (result === 'void')
    return {
      ...usual,
      reason: `the rule "${name}" ${undecided ? 'does' : 'matches and does'} not answer: ${why}`,
    };
  switch (action.do) {
    case 'ask': {
      const { audience } = action;
      const reason = `the rule "${name}" asks the audience "${audience}"`;
      return { audience, host: audience === 'host', others: audience !== 'host', reason };
    }
    case 'accept':
      return { ...usual, answer: { action: action.do, content: action.content, by: `rule:${name}` } };
    case 'decline':
    case 'cancel':
      return { ...usual, answer: { action: action.do, by: `rule:${name}` } };
  }
}
