// What a line of the bench is: it measures something and says what was to be reached.
import type { Scope } from '../support/create-scope.ts';

export interface Measure {
  readonly what: string;
  readonly value: number;
  readonly unit: 'ms' | '×' | '/s' | 'MiB';
  /** Reached when the value is at most `max`, at least `min`; a measure without either only informs. */
  readonly max?: number;
  readonly min?: number;
}

export interface Line {
  /** The word that picks it: `npm run bench -- calls`. */
  readonly name: string;
  readonly title: string;
  /** Ends what it starts with `scope`, and is over within half a minute. */
  run(scope: Scope): Promise<Measure[]>;
}
