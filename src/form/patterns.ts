// A server's `pattern` against a value, under a time limit: a catastrophic one cannot block mcpx
// (docs/broker.md, "Limits").
import { bounded } from './bounded.ts';

/** A value and the pattern it is to match. */
export interface PatternTest {
  readonly pattern: string;
  readonly value: string;
}

/** `unusable`: no regular expression at all. `slow`: no verdict within the limit. */
export type PatternVerdict = 'match' | 'mismatch' | 'unusable' | 'slow';

/** How long patterns may run. A run that is cut off is tried again, since on a busy machine it need not be its fault. */
export interface PatternTime {
  /** Milliseconds for one run of all that is left. */
  readonly ms: number;
  /** Runs in all, so that a form full of slow patterns takes no more than this many limits. */
  readonly runs: number;
  /** Runs of one pattern that does not end. */
  readonly tries: number;
}

const USUAL: PatternTime = { ms: 50, runs: 6, tries: 3 };

/**
 * A verdict for each test, in order. All run together within 50 ms; the one that was running when time ran out is
 * tried again, and after six runs what is left counts as slow.
 */
export function testPatterns(tests: readonly PatternTest[], time: PatternTime = USUAL): PatternVerdict[] {
  const verdicts: PatternVerdict[] = [];
  let suspect = -1;
  let tries = 0;
  for (let run = 0; run < time.runs && verdicts.length < tests.length; run += 1) {
    bounded(time.ms, () => {
      while (verdicts.length < tests.length) verdicts.push(verdict(tests[verdicts.length]));
    });
    const stopped = verdicts.length;
    tries = stopped === suspect ? tries + 1 : 1;
    suspect = stopped;
    if (stopped < tests.length && tries === time.tries) verdicts.push('slow');
  }
  while (verdicts.length < tests.length) verdicts.push('slow');
  return verdicts;
}

/** Whether a pattern is a regular expression, with the `u` flag as JSON Schema asks, or without it. */
export function isUsable(pattern: string): boolean {
  return compiled(pattern) !== undefined;
}

function verdict(test: PatternTest | undefined): PatternVerdict {
  if (test === undefined) return 'unusable';
  const expression = compiled(test.pattern);
  if (expression === undefined) return 'unusable';
  return expression.test(test.value) ? 'match' : 'mismatch';
}

function compiled(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Escapes such as `\-` are common and valid only without the flag.
    }
  }
  return undefined;
}
