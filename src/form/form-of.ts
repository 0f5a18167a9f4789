// A requestedSchema turned into the fields that every surface draws.
import { objectText } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import { parse } from './json.ts';
import { outlineOf } from './outline.ts';
import { testPatterns } from './patterns.ts';
import { patternProblem, patternValue } from './problem.ts';
import type { Field, Form } from './types.ts';
import { contentProblems } from './validator.ts';

/**
 * The form for a schema, as `outlineOf` has it, with the defaults in doubt tried: those that fit are kept, those that do
 * not or that could not be checked in time are left out (C05, C47). Runs what a server wrote: a gateway asks
 * `FormChecks`.
 */
export function formOf(requestedSchema: JsonText): Form {
  const { form, doubtful } = outlineOf(requestedSchema);
  if (doubtful.size === 0) return form;
  const fitting = new Map(doubtful);
  dropMismatches(form.fields, fitting);
  dropUnfitJson(form.fields, fitting, requestedSchema);
  const fields = form.fields.map((field) => {
    const text = fitting.get(field.name);
    return text === undefined ? field : { ...field, initial: parse(text) };
  });
  return { ...form, fields };
}

/** All patterns in one go, so that many slow ones take no longer than one. */
function dropMismatches(fields: readonly Field[], fitting: Map<string, JsonText>): void {
  const tests = fields.flatMap((field) => {
    const text = fitting.get(field.name);
    const value = text === undefined ? undefined : patternValue(field, text);
    return value === undefined || field.kind !== 'text'
      ? []
      : [{ field, pattern: field.pattern ?? '', value }];
  });
  for (const [index, verdict] of testPatterns(tests).entries()) {
    const test = tests[index];
    if (test !== undefined && patternProblem(test.pattern, verdict) !== undefined)
      fitting.delete(test.field.name);
  }
}

/** A default of a JSON field fits if the whole schema says so; one compilation serves all of them. */
function dropUnfitJson(fields: readonly Field[], fitting: Map<string, JsonText>, schema: JsonText): void {
  const raw = fields.filter((field) => field.kind === 'json' && fitting.has(field.name));
  if (raw.length === 0) return;
  const content = objectText(raw.map(({ name }) => [name, fitting.get(name) ?? 'null']));
  const verdict = contentProblems(schema, content, new Set());
  if (verdict === 'unknown') return;
  const wrong = new Set(verdict === 'late' ? [] : verdict.map(({ path }) => path.split('/')[1]));
  for (const { name } of raw) if (verdict === 'late' || wrong.has(token(name))) fitting.delete(name);
}

function token(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
