// A whole answer checked: what would be sent, or everything that is wrong with it.
import type { FieldProblem } from '../errors.ts';
import { duplicateKey, entries, objectText, oneLine } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import { isObject, parse, pointer } from './json.ts';
import { unknownName } from './names.ts';
import { type PatternTest, testPatterns } from './patterns.ts';
import { patternProblem, patternValue, valueProblem } from './problem.ts';
import type { Checked, Draft, Field, Form } from './types.ts';
import { contentProblems } from './validator.ts';

/**
 * The content a draft stands for, in schema order, unset fields absent, `{}` for an empty form; or all problems at
 * once, one for a field. What is shown in a review is this text, and this text is what is sent.
 */
export function check(form: Form, draft: Draft): Checked {
  const given = form.fields.flatMap((field): [string, JsonText][] => {
    const value = draft.get(field.name);
    return value === undefined ? [] : [[field.name, value]];
  });
  const known = new Set(form.fields.map((field) => field.name));
  const unknown = [...draft.keys()].filter((name) => !known.has(name));
  return checked(form, draft, unknown, () => objectText(given));
}

/**
 * The same for a content that is given whole as JSON (`--input`, REST, a rule, a host). Its text is kept as it is,
 * but for line breaks between its tokens, which would break the frame on stdio. Names that the schema lacks are a
 * problem, unless `extra` says that the schema alone decides about them.
 */
export function checkContent(
  form: Form,
  content: JsonText,
  options: { readonly extra?: boolean } = {},
): Checked {
  if (!isObject(parse(content))) return failed([{ path: '', message: 'needs a JSON object' }]);
  const twice = duplicateKey(content);
  if (twice !== undefined) return failed([{ path: pointer(twice), message: 'is given twice' }]);
  const draft: Draft = new Map(entries(content));
  const known = new Set(form.fields.map((field) => field.name));
  const unknown = options.extra === true ? [] : [...draft.keys()].filter((name) => !known.has(name));
  return checked(form, draft, unknown, () => content);
}

function checked(form: Form, draft: Draft, unknown: readonly string[], content: () => JsonText): Checked {
  const problems = new Map<string, FieldProblem>();
  const add = (path: string, message: string): void => {
    if (!problems.has(path)) problems.set(path, { path, message });
  };
  for (const [name, message] of fieldProblems(form.fields, draft)) add(pointer(name), message);
  for (const name of unknown) add(pointer(name), unknownName(name, form));
  const broken = [...problems.keys()];
  const text = problems.size === 0 ? oneLine(content()) : content();
  for (const { path, message } of schemaProblems(form, text)) {
    // The field's own sentence says it better than the schema's.
    if (!broken.some((own) => path === own || path.startsWith(`${own}/`))) add(path, message);
  }
  return problems.size === 0 ? { ok: true, content: text } : failed([...problems.values()]);
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

function schemaProblems(form: Form, content: JsonText): readonly FieldProblem[] {
  const tested = form.fields.filter((field) => field.kind === 'text' && field.pattern !== undefined);
  return contentProblems(form.schema, content, new Set(tested.map((field) => field.name))) ?? [];
}

function failed(problems: readonly FieldProblem[]): Checked {
  return { ok: false, problems };
}
