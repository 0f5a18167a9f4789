// What is wrong with one field's value while a person is at it: everything that the field alone can tell, at once.
import type { JsonText } from '../protocol/types.ts';
import { type PatternTime, testPatterns } from './patterns.ts';
import { patternProblem, patternValue, valueProblem } from './problem.ts';
import type { Field } from './types.ts';
import { propertyProblem } from './validator.ts';

/** Milliseconds for what a server wrote, at every key: a screen that is held up longer does not follow the keys. */
const LIMIT = 50;
const PATTERN: PatternTime = { ms: LIMIT / 2, runs: 2, tries: 2 };

/**
 * What is wrong with the value of a field, `undefined` if nothing is; an unset value is wrong only where one is
 * required. A pattern or the schema of a JSON value that takes longer than 50 ms is a problem, too. For the person's
 * own process only; a gateway asks `FormChecks`.
 */
export function problemFor(field: Field, value: JsonText | undefined): string | undefined {
  const problem = valueProblem(field, value);
  if (problem !== undefined || value === undefined) return problem;
  if (field.kind === 'json')
    return field.schema === undefined ? undefined : propertyProblem(field.schema, value, LIMIT);
  const text = patternValue(field, value);
  if (text === undefined || field.kind !== 'text' || field.pattern === undefined) return undefined;
  const [verdict] = testPatterns([{ pattern: field.pattern, value: text }], PATTERN);
  return patternProblem(field.pattern, verdict);
}
