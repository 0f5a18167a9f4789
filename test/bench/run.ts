// `npm run bench [-- NAME…] [--json]`: every line (or the named ones), as a table and as JSON.
import { createScope } from '../support/create-scope.ts';
import { accept } from './accept.ts';
import { bombs } from './bombs.ts';
import { calls } from './calls.ts';
import { inline } from './inline.ts';
import { store } from './store.ts';
import type { Line, Measure } from './types.ts';

const LINES: readonly Line[] = [calls, inline, accept, store, bombs];

function verdict({ value, max, min }: Measure): 'ok' | 'missed' | '' {
  if (max === undefined && min === undefined) return '';
  return value <= (max ?? Number.POSITIVE_INFINITY) && value >= (min ?? Number.NEGATIVE_INFINITY)
    ? 'ok'
    : 'missed';
}

function target({ max, min, unit }: Measure): string {
  if (max !== undefined) return `≤ ${max} ${unit}`;
  return min === undefined ? '' : `≥ ${min} ${unit}`;
}

function table(results: readonly { line: Line; measures: readonly Measure[] }[]): string {
  const rows = results.flatMap(({ line, measures }) => [
    `\n${line.name}: ${line.title}`,
    ...measures.map((measure) => {
      const value = `${measure.value.toFixed(measure.value < 10 ? 2 : 0)} ${measure.unit}`;
      return `  ${measure.what.padEnd(48)} ${value.padStart(10)}  ${target(measure).padEnd(10)} ${verdict(measure)}`.trimEnd();
    }),
  ]);
  return rows.join('\n');
}

/** Returns the exit code: 0 once everything has been measured, whatever the numbers, 2 for an unknown name. */
export async function main(argv: readonly string[]): Promise<number> {
  const names = argv.filter((word) => word !== '--json');
  const unknown = names.find((name) => !LINES.some((line) => line.name === name));
  if (unknown !== undefined) {
    console.error(`bench: no line "${unknown}"; there are ${LINES.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  const results: { line: Line; measures: Measure[] }[] = [];
  for (const line of LINES.filter(({ name }) => names.length === 0 || names.includes(name))) {
    console.error(`bench: ${line.name} …`);
    const scope = createScope();
    try {
      results.push({ line, measures: await line.run(scope) });
    } finally {
      await scope.close();
    }
  }
  const json = results.map(({ line, measures }) => ({
    line: line.name,
    measures: measures.map((measure) => ({ ...measure, verdict: verdict(measure) || undefined })),
  }));
  if (!argv.includes('--json')) console.log(`${table(results)}\n`);
  console.log(JSON.stringify(json));
  return 0;
}
