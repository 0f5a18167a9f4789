// The rules of the configuration: which of them decides a question before anybody is asked, and why the others do not.
import { bounded } from '../form/bounded.ts';
import { checkContent } from '../form/check.ts';
import { formOf } from '../form/form-of.ts';
import type { Form } from '../form/types.ts';
import type { JsonText, Mode } from '../protocol/types.ts';
import type { Audience, Row } from './types.ts';

/** What a rule asks of a question; all that is there must hold, and something is always there. */
export interface RuleMatch {
  readonly server?: string;
  /** Name of the tool whose call raised the question, as the upstream knows it. */
  readonly tool?: string;
  /** `form` when absent. */
  readonly mode?: Mode;
  /** A regular expression without flags, found anywhere in the message. */
  readonly message?: string;
  /** All of these are asked for. */
  readonly fields?: readonly string[];
}

/** Whom a rule can have asked: the host alone; people, past the host; or those that look for rows of their own. */
export type AskedAudience = Exclude<Audience, 'policy'>;

export type RuleAction =
  | { readonly do: 'accept'; readonly content: JsonText }
  | { readonly do: 'decline' }
  | { readonly do: 'cancel' }
  | { readonly do: 'ask'; readonly audience: AskedAudience };

/** One entry of `elicit.rules` (design/6-config.md). */
export interface Rule {
  readonly name: string;
  readonly match: RuleMatch;
  readonly action: RuleAction;
}

/** `elicit.rules`, and what `elicit.sensitive` says of questions that ask for a secret. */
export interface Policy {
  readonly rules: readonly Rule[];
  readonly sensitive: 'seal' | 'decline';
}

/** The facts of a question that a rule looks at. */
export type RuleQuestion = Pick<
  Row,
  'server' | 'mode' | 'message' | 'requestedSchema' | 'method' | 'tool' | 'sensitive'
>;

/** What one rule says of a question: `void` when it matches and must not or can not answer. */
export interface RuleVerdict {
  readonly name: string;
  readonly action: RuleAction;
  readonly result: 'fires' | 'void' | 'no-match' | 'not-reached';
  /** The end of a sentence that begins with the rule. */
  readonly why: string;
}

/** The name under which `elicit.sensitive: "decline"` answers; no rule may have it. */
export const SENSITIVE_RULE = 'sensitive';

/**
 * Every rule in order with its verdict; the first that matches ends it, also when it does not answer
 * (design/3-broker.md, "Who may answer"). A rule never accepts a url question nor one that asks for a secret.
 */
export function judgeRules(policy: Policy, question: RuleQuestion): RuleVerdict[] {
  const facts = new Facts(question);
  let first: string | undefined;
  const verdicts: RuleVerdict[] = [];
  const add = (name: string, action: RuleAction, judge: () => Pick<RuleVerdict, 'result' | 'why'>): void => {
    const said =
      first === undefined ? judge() : { result: 'not-reached' as const, why: `${first} comes before it` };
    if (said.result === 'fires' || said.result === 'void') first = name;
    verdicts.push({ name, action, ...said });
  };
  if (policy.sensitive === 'decline') {
    add(SENSITIVE_RULE, { do: 'decline' }, () =>
      question.sensitive
        ? { result: 'fires', why: 'the question asks for a secret, and elicit.sensitive is "decline"' }
        : { result: 'no-match', why: 'the question asks for no secret' },
    );
  }
  for (const { name, match, action } of policy.rules) {
    add(name, action, () => {
      const unlike = facts.unlike(match);
      if (unlike !== undefined) return { result: 'no-match', why: unlike };
      const hindrance = facts.hindrance(action);
      return hindrance === undefined
        ? { result: 'fires', why: `it is the first that matches` }
        : { result: 'void', why: hindrance };
    });
  }
  return verdicts;
}

/** The verdict that decides: a rule that fires, or one that matches and does not answer. */
export function decidingRule(policy: Policy, question: RuleQuestion): RuleVerdict | undefined {
  return judgeRules(policy, question).find(({ result }) => result === 'fires' || result === 'void');
}

class Facts {
  readonly #question: RuleQuestion;
  #form: Form | undefined;

  constructor(question: RuleQuestion) {
    this.#question = question;
  }

  /** Why the question is not what `match` says; undefined when it is. */
  unlike(match: RuleMatch): string | undefined {
    const { server, mode, message, method, tool } = this.#question;
    if ((match.mode ?? 'form') !== mode) return `it is for ${match.mode ?? 'form'} questions`;
    if (match.server !== undefined && match.server !== server) return `it is for the server ${match.server}`;
    if (match.tool !== undefined && (method !== 'tools/call' || match.tool !== tool))
      return `it is for the tool ${match.tool}`;
    const missing = match.fields?.find((name) => !this.#names().has(name));
    if (missing !== undefined) return `the question has no field ${missing}`;
    if (match.message === undefined) return undefined;
    switch (found(match.message, message)) {
      case true:
        return undefined;
      case false:
        return `the message does not match ${match.message}`;
      case undefined:
        return `the message could not be held against ${match.message} in time`;
    }
  }

  /** Why a rule that matches does not answer all the same. */
  hindrance(action: RuleAction): string | undefined {
    if (action.do !== 'accept') return undefined;
    if (this.#question.mode === 'url') return 'consent to open a URL is for a person to give';
    if (this.#question.sensitive) return 'no rule accepts a question that asks for a secret';
    const checked = checkContent(this.#asForm(), action.content);
    if (checked.ok) return undefined;
    const [problem] = checked.problems;
    const where = problem === undefined || problem.path === '' ? 'its content' : problem.path.slice(1);
    return `its content does not fit the question: ${where} ${problem?.message ?? 'is not valid'}`;
  }

  #names(): Set<string> {
    return new Set(this.#asForm().fields.map(({ name }) => name));
  }

  #asForm(): Form {
    this.#form ??= formOf(this.#question.requestedSchema ?? '{}');
    return this.#form;
  }
}

/** Milliseconds for one look (design/3-broker.md, "Limits"); on a busy machine one is not always given its time. */
const LIMIT = 50;
const TRIES = 3;

function found(pattern: string, text: string): boolean | undefined {
  const expression = new RegExp(pattern);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const run = bounded(LIMIT, () => expression.test(text));
    if (run.ok) return run.value;
  }
  return undefined;
}
