// The known word that a mistyped one is closest to.

/** Longer words are not compared: the cost grows with the square of their length. */
const LONGEST = 64;

/**
 * The candidate that differs from `word` by the fewest edits, if that is at most a third of it, ignoring case;
 * else `undefined`.
 */
export function similar(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined;
  let best: string | undefined;
  let least = Math.floor(word.length / 3) + 1;
  for (const candidate of candidates) {
    if (candidate.length > LONGEST || Math.abs(candidate.length - word.length) >= least) continue;
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < least) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours between two words. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let edits = Math.min(cell(row, j) + 1, cell(next, j - 1) + 1, cell(row, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) edits = Math.min(edits, cell(before, j - 2) + 1);
      next.push(edits);
    }
    before = row;
    row = next;
  }
  return cell(row, to.length);
}

function cell(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
