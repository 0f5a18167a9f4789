// Measuring sides against each other on a machine that other things use too: short blocks by turns, medians of blocks.

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) return Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export interface Block {
  /** The median duration of one operation, in milliseconds. */
  readonly p50: number;
  /** Operations a second. */
  readonly rate: number;
}

/** Runs `operation` over and over for `ms` with `width` at a time. */
export async function block(operation: () => Promise<unknown>, ms: number, width: number): Promise<Block> {
  const times: number[] = [];
  const start = performance.now();
  const worker = async (): Promise<void> => {
    while (performance.now() - start < ms) {
      const before = performance.now();
      await operation();
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return { p50: median(times), rate: (times.length * 1000) / (performance.now() - start) };
}

/** `rounds` times each side in turn; the order turns around every round, so that neither always follows the other. */
export async function interleave<Side extends string>(
  sides: Readonly<Record<Side, () => Promise<unknown>>>,
  options: { readonly rounds: number; readonly ms: number; readonly width: number },
): Promise<Record<Side, Block[]>> {
  const names = Object.keys(sides) as Side[];
  const blocks = Object.fromEntries(names.map((name) => [name, [] as Block[]])) as Record<Side, Block[]>;
  for (const name of names) await block(sides[name], options.ms, options.width);
  for (let round = 0; round < options.rounds; round++) {
    const order = round % 2 === 0 ? names : [...names].reverse();
    for (const name of order) blocks[name].push(await block(sides[name], options.ms, options.width));
  }
  return blocks;
}
