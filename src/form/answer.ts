// A whole answer held against its form: what would be sent, or everything that is wrong with it.
import type { FieldProblem } from '../errors.ts';
import { duplicateKey, entries, objectText, oneLine } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import { isObject, parse, pointer } from './json.ts';
import { unknownName } from './names.ts';
import { type PatternTest, testPatterns } from './patterns.ts';
import { patternProblem, patternValue, valueProblem } from './problem.ts';
import type { Checked, Draft, Field, Form } from './types.ts';
import { LATE } from './words.ts';

/**
 * What the whole schema says of a content, beyond what the fields say: everything that is wrong, all at once. `unknown`
 * where the schema is not one that mcpx checks; `late` where nobody knows in time whether the content fits: it does not.
 */
export type SchemaVerdict = readonly FieldProblem[] | 'unknown' | 'late';

/** Holds a content against a schema; the patterns of the properties in `withoutPattern` were tested before. */
export type Judge = (
  schema: JsonText,
  content: JsonText,
  withoutPattern: ReadonlySet<string>,
) => SchemaVerdict;

/** More says nothing more to a person. */
const MOST_PROBLEMS = 100;
/** Guesses at what was meant; each is held against the name of every field. */
const MOST_GUESSES = 3;

/**
 * The content a draft stands for, in schema order, unset fields absent, `{}` for an empty form; or all problems at
 * once, one for a field. What is shown in a review is this text, and this text is what is sent.
 */
export function draftAnswer(form: Form, draft: Draft, judge: Judge): Checked {
  const given = form.fields.flatMap((field): [string, JsonText][] => {
    const value = draft.get(field.name);
    return value === undefined ? [] : [[field.name, value]];
  });
  const known = new Set(form.fields.map((field) => field.name));
  const unknown = [...draft.keys()].filter((name) => !known.has(name));
  return checked(form, draft, unknown, () => objectText(given), judge);
}

/**
 * The same for a content that is given whole as JSON (`--input`, REST, a rule, a host). Its text is kept as it is,
 * but for line breaks between its tokens, which would break the frame on stdio. Names that the schema lacks are a
 * problem, unless `extra` says that the schema alone decides about them.
 */
export function contentAnswer(
  form: Form,
  content: JsonText,
  judge: Judge,
  options: { readonly extra?: boolean } = {},
): Checked {
  if (!isObject(parse(content))) return failed([{ path: '', message: 'needs a JSON object' }]);
  const twice = duplicateKey(content);
  if (twice !== undefined) return failed([{ path: pointer(twice), message: 'given twice' }]);
  const draft: Draft = new Map(entries(content));
  const known = new Set(form.fields.map((field) => field.name));
  const unknown = options.extra === true ? [] : [...draft.keys()].filter((name) => !known.has(name));
  return checked(form, draft, unknown, () => content, judge);
}

function checked(
  form: Form,
  draft: Draft,
  unknown: readonly string[],
  content: () => JsonText,
  judge: Judge,
): Checked {
  const problems = new Map<string, FieldProblem>();
  const add = (path: string, message: string): void => {
    if (!problems.has(path)) problems.set(path, { path, message });
  };
  for (const [name, message] of fieldProblems(form.fields, draft)) add(pointer(name), message);
  for (const [index, name] of unknown.slice(0, MOST_PROBLEMS).entries())
    add(pointer(name), unknownName(name, form, index < MOST_GUESSES));
  const broken = [...problems.keys()];
  const text = problems.size === 0 ? oneLine(content()) : content();
  const verdict = schemaVerdict(form, text, judge);
  // Where something is wrong anyhow, that is what there is to correct.
  if (verdict === 'late' && problems.size === 0) add('', LATE);
  for (const { path, message } of typeof verdict === 'string' ? [] : verdict) {
    // The field's own sentence says it better than the schema's.
    if (!broken.some((own) => path === own || path.startsWith(`${own}/`))) add(path, message);
  }
  return problems.size === 0
    ? { ok: true, content: text }
    : failed([...problems.values()].slice(0, MOST_PROBLEMS));
}

function fieldProblems(fields: readonly Field[], draft: Draft): Map<string, string> {
  const problems = new Map<string, string>();
  const tests: (PatternTest & { readonly name: string })[] = [];
  for (const field of fields) {
    const value = draft.get(field.name);
    const problem = valueProblem(field, value);
    if (problem !== undefined) problems.set(field.name, problem);
    const text = value === undefined || problem !== undefined ? undefined : patternValue(field, value);
    if (text !== undefined && field.kind === 'text' && field.pattern !== undefined) {
      tests.push({ name: field.name, pattern: field.pattern, value: text });
    }
  }
  for (const [index, verdict] of testPatterns(tests).entries()) {
    const test = tests[index];
    const problem = test === undefined ? undefined : patternProblem(test.pattern, verdict);
    if (test !== undefined && problem !== undefined) problems.set(test.name, problem);
  }
  return problems;
}

function schemaVerdict(form: Form, content: JsonText, judge: Judge): SchemaVerdict {
  const tested = form.fields.filter((field) => field.kind === 'text' && field.pattern !== undefined);
  return judge(form.schema, content, new Set(tested.map((field) => field.name)));
}

function failed(problems: readonly FieldProblem[]): Checked {
  return { ok: false, problems };
}
