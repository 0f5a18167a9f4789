// What is wrong with a setting, as one sentence with the place, the path of the key and what to do.
import type { z } from 'zod';
import { similar } from '../text/similar.ts';

export type Path = readonly (string | number)[];

export interface Problem {
  readonly path: Path;
  /** What follows the path in the sentence, with what to do and without the full stop. */
  readonly clause: string;
  /** Not worth saying when something inside is wrong, too: a mistyped key is why another is missing. */
  readonly yields?: boolean;
}

/** `mcpServers.github.args[0]`; keys that are no plain words in quotes. */
export function pathText(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[\w-]+$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}

/**
 * The problems of a failed parse. The schema's messages say what is expected ("a duration such as …"), or with
 * `params.clause` all that follows the path.
 *
 * @param written the values as they stand in the file: an expanded one may be a secret.
 */
export function problemsOf(issues: readonly z.core.$ZodIssue[], written: unknown): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    if (issue.code === 'unrecognized_keys') {
      const known = issue.message.split(' ');
      return issue.keys.map((key) => ({ path: [...path, key], clause: unknownKey(key, known) }));
    }
    if (issue.code === 'custom' && issue.params?.['clause'] === true) {
      return [{ path, clause: issue.message, yields: issue.params['yields'] === true }];
    }
    const value = valueAt(written, path);
    if (value === undefined) return [{ path, clause: `is missing; it must be ${issue.message}` }];
    return [{ path, clause: `must be ${issue.message}, not ${display(value, path)}` }];
  });
}

function unknownKey(key: string, known: readonly string[]): string {
  const guess = nearest(key, known);
  const fix =
    guess === undefined ? `remove it, or use one of ${known.join(', ')}` : `did you mean "${guess}"?`;
  return `is not a known key; ${fix}`;
}

export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = Reflect.get(at, step);
  }
  return at;
}

function display(value: unknown, path: Path): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  // Values of these are secrets more often than not; where a digest belongs a token may stand.
  if (['env', 'headers', 'sha256'].some((key) => path.includes(key))) return `a ${typeof value}`;
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What other programs call a key that mcpx has under another name. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['servers', 'mcpServers'],
  ['timeout', 'callTimeout'],
  ['cmd', 'command'],
  ['environment', 'env'],
  ['transport', 'type'],
  ['enabled', 'disabled'],
]);

/** The candidate that a mistyped word most likely stands for, or `undefined` when none is close. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const alias = ALIASES.get(word);
  return alias !== undefined && candidates.includes(alias) ? alias : similar(word, candidates);
}
