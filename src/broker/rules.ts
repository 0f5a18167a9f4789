// The rules of the configuration: which of them decides a question before anybody is asked, and why the others do not.
import type { FormChecks } from '../form/checks.ts';
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

/** One entry of `elicit.rules` (docs/configuration.md). */
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

/**
 * What one rule says of a question: `void` when it matches and must not or cannot answer, or when nobody knows in time
 * whether it matches.
 */
export interface RuleVerdict {
  readonly name: string;
  readonly action: RuleAction;
  readonly result: 'fires' | 'void' | 'no-match' | 'not-reached';
  /** Nobody knows in time whether it matches. */
  readonly undecided?: true;
  /** The end of a sentence that begins with the rule. */
  readonly why: string;
}

/** The name under which `elicit.sensitive: "decline"` answers; no rule may have it. */
export const SENSITIVE_RULE = 'sensitive';

type Said = Omit<RuleVerdict, 'name' | 'action'>;

/**
 * Every rule in order with its verdict; the first that matches ends it, also when it does not answer
 * (docs/broker.md, "Who may answer"). A rule never accepts a url question nor one that asks for a secret. A rule that
 * could not be checked against the question in time ends it, too: otherwise a server could make its way past a rule that
 * declines to one that accepts.
 */
export async function judgeRules(
  policy: Policy,
  question: RuleQuestion,
  checks: FormChecks,
): Promise<RuleVerdict[]> {
  const facts = new Facts(question, checks);
  let first: string | undefined;
  const verdicts: RuleVerdict[] = [];
  const add = async (name: string, action: RuleAction, judge: () => Said | Promise<Said>): Promise<void> => {
    const said =
      first === undefined
        ? await judge()
        : { result: 'not-reached' as const, why: `${first} comes before it` };
    if (said.result === 'fires' || said.result === 'void') first = name;
    verdicts.push({ name, action, ...said });
  };
  if (policy.sensitive === 'decline') {
    await add(SENSITIVE_RULE, { do: 'decline' }, () =>
      question.sensitive
        ? { result: 'fires', why: 'the question asks for a secret, and elicit.sensitive is "decline"' }
        : { result: 'no-match', why: 'the question asks for no secret' },
    );
  }
  for (const { name, match, action } of policy.rules) {
    await add(name, action, async () => {
      const unlike = await facts.unlike(match);
      if (unlike !== undefined) return unlike;
      const hindrance = await facts.hindrance(action);
      return hindrance === undefined
        ? { result: 'fires', why: `it is the first that matches` }
        : { result: 'void', why: hindrance };
    });
  }
  return verdicts;
}

/** The verdict that decides: a rule that fires, or one that matches and does not answer. */
export async function decidingRule(
  policy: Policy,
  question: RuleQuestion,
  checks: FormChecks,
): Promise<RuleVerdict | undefined> {
  const verdicts = await judgeRules(policy, question, checks);
  return verdicts.find(({ result }) => result === 'fires' || result === 'void');
}

class Facts {
  readonly #question: RuleQuestion;
  readonly #checks: FormChecks;
  #names: Promise<ReadonlySet<string> | undefined> | undefined;

  constructor(question: RuleQuestion, checks: FormChecks) {
    this.#question = question;
    this.#checks = checks;
  }

  /** Why the question is not what `match` says; undefined when it is. */
  async unlike(match: RuleMatch): Promise<Said | undefined> {
    const { server, mode, message, method, tool } = this.#question;
    if ((match.mode ?? 'form') !== mode) return noMatch(`it is for ${match.mode ?? 'form'} questions`);
    if (match.server !== undefined && match.server !== server)
      return noMatch(`it is for the server ${match.server}`);
    if (match.tool !== undefined && (method !== 'tools/call' || match.tool !== tool))
      return noMatch(`it is for the tool ${match.tool}`);
    if (match.fields !== undefined) {
      const names = await this.#asked();
      if (names === undefined) return undecided('the fields of the question could not be read in time');
      const missing = match.fields.find((name) => !names.has(name));
      if (missing !== undefined) return noMatch(`the question has no field ${missing}`);
    }
    if (match.message === undefined) return undefined;
    switch (await this.#checks.found(server, match.message, message)) {
      case true:
        return undefined;
      case false:
        return noMatch(`the message does not match ${match.message}`);
      case undefined:
        return undecided(`the message could not be checked against ${match.message} in time`);
    }
  }

  /** Why a rule that matches does not answer all the same. */
  async hindrance(action: RuleAction): Promise<string | undefined> {
    if (action.do !== 'accept') return undefined;
    const { mode, sensitive, server, requestedSchema = '{}' } = this.#question;
    if (mode === 'url') return 'consent to open a URL is for a person to give';
    if (sensitive) return 'no rule accepts a question that asks for a secret';
    const checked = await this.#checks.content(server, requestedSchema, action.content);
    if (checked.ok) return undefined;
    const [problem] = checked.problems;
    const where = problem === undefined || problem.path === '' ? 'its content' : problem.path.slice(1);
    return `its content does not fit the question: ${where}: ${problem?.message ?? 'is not valid'}`;
  }

  #asked(): Promise<ReadonlySet<string> | undefined> {
    const { server, requestedSchema = '{}' } = this.#question;
    this.#names ??= this.#checks
      .outline(server, requestedSchema)
      .then((outline) => outline && new Set(outline.form.fields.map(({ name }) => name)));
    return this.#names;
  }
}

function noMatch(why: string): Said {
  return { result: 'no-match', why };
}

function undecided(why: string): Said {
  return { result: 'void', undecided: true, why };
}
