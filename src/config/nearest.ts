// Did you mean …?
import { similar } from '../text/similar.ts';

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
