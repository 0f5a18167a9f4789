// Content against the whole requestedSchema with ajv: bounded in time, fetching nothing, never throwing.
import { Ajv, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FieldProblem } from '../errors.ts';
import { problemOf, renamed } from './ajv-words.ts';
import type { SchemaVerdict } from './answer.ts';
import { bounded } from './bounded.ts';
import { type Dialect, dialectOf } from './dialect.ts';
import { isOfFormat, TEXT_FORMATS } from './formats.ts';
import { isObject, type Json, type JsonObject, own, parse } from './json.ts';
import { LATE } from './words.ts';

/** Milliseconds for compiling a schema and checking one content; the largest honest form takes a tenth of it. */
const LIMIT = 2_000;
/** More says nothing more to a person. */
const MOST_PROBLEMS = 100;

/**
 * The whole schema's verdict. `unknown` for another dialect, a `$ref` that leads out of it (nothing is fetched), and a
 * keyword ajv cannot compile; `late` for too much time, stack or memory. The patterns of the properties in
 * `withoutPattern` are left to the caller.
 */
export function contentProblems(
  schemaText: string,
  contentText: string,
  withoutPattern: ReadonlySet<string>,
): SchemaVerdict {
  const schema = parse(schemaText);
  const content = parse(contentText);
  if (!isObject(schema) || content === undefined) return 'unknown';
  const dialect = dialectOf(schema);
  if (dialect === undefined) return 'unknown';
  return validated(dialect, () => withoutPatterns(schema, withoutPattern), content, LIMIT);
}

/**
 * What is wrong with one value by its property's own schema, in at most `ms` milliseconds; `undefined` also where the
 * property alone does not tell.
 */
export function propertyProblem(schemaText: string, valueText: string, ms: number): string | undefined {
  const schema = parse(schemaText);
  const value = parse(valueText);
  if (schema === undefined || value === undefined) return undefined;
  const verdict = validated('2020-12', () => schema, value, ms);
  if (verdict === 'late') return LATE;
  const [first] = verdict === 'unknown' ? [] : verdict;
  if (first === undefined) return undefined;
  return first.path === '' ? first.message : `${first.path}: ${first.message}`;
}

function validated(dialect: Dialect, schema: () => Json, content: Json, ms: number): SchemaVerdict {
  const result = bounded(ms, () => {
    const validate = compiler(dialect).compile(prepared(schema()));
    return problemsOf(validate(renamed(content)) === true ? [] : (validate.errors ?? []));
  });
  if (result.ok) return result.value;
  return result.late ? 'late' : 'unknown';
}

function compiler(dialect: Dialect): Ajv {
  const Class = dialect === 'draft-07' ? Ajv : Ajv2020;
  return new Class({
    allErrors: true,
    // Unknown keywords and formats are annotations; a schema is not refused for being unusual.
    strict: false,
    meta: false,
    validateSchema: false,
    logger: false,
    // Otherwise `constructor` and `toString` count as present in every content.
    ownProperties: true,
    // Every reference would be copied into its place, and a small schema become a very large function.
    inlineRefs: false,
    // As `isMultipleOf` has it: 0.3 is a multiple of 0.1.
    multipleOfPrecision: 9,
    formats: Object.fromEntries(
      TEXT_FORMATS.map((format) => [format, (text: string) => isOfFormat(format, text)]),
    ),
  });
}

/**
 * The schema as ajv gets it: without `$schema`, which was read, and `$async`, which would make it answer with a
 * promise.
 */
function prepared(schema: Json): Record<string, Json> | boolean {
  const copy = renamed(schema);
  if (!isObject(copy)) return copy === true;
  return Object.fromEntries(Object.entries(copy).filter(([key]) => key !== '$schema' && key !== '$async'));
}

function withoutPatterns(schema: JsonObject, names: ReadonlySet<string>): JsonObject {
  const properties = own(schema, 'properties');
  if (!isObject(properties)) return schema;
  const kept = Object.entries(properties).map(([name, property]): [string, Json] => {
    if (!names.has(name) || !isObject(property)) return [name, property];
    return [name, Object.fromEntries(Object.entries(property).filter(([key]) => key !== 'pattern'))];
  });
  return { ...schema, properties: Object.fromEntries(kept) };
}

function problemsOf(errors: readonly ErrorObject[]): FieldProblem[] {
  // The errors inside the branches of a failed anyOf or oneOf say why each of them failed, which is no help.
  const branches = errors
    .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
    .map(({ schemaPath }) => `${schemaPath}/`);
  const problems = new Map<string, FieldProblem>();
  for (const error of errors) {
    if (branches.some((branch) => error.schemaPath.startsWith(branch))) continue;
    const problem = problemOf(error);
    if (problem !== undefined) problems.set(`${problem.path}\n${problem.message}`, problem);
    if (problems.size === MOST_PROBLEMS) break;
  }
  return [...problems.values()];
}
