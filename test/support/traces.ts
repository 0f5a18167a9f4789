// Looking for a text in everything that lies on the disk.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './processes.ts';

const LOOK = join(ROOT, 'fixtures', 'holding.mjs');

/**
 * The files below `dir` that hold the text, its hex or its Base64. Another process looks: reading a database here would
 * drop the locks that this process has on it.
 */
export function holding(dir: string, text: string): string[] {
  const bytes = Buffer.from(text);
  // Base64 of the same bytes looks different at each of three offsets; the first and last characters vary with what is around.
  const shifted = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  );
  const forms = [text, bytes.toString('hex'), ...shifted.filter((one) => one.length >= 8)];
  return JSON.parse(execFileSync(process.execPath, [LOOK, dir, JSON.stringify(forms)], { encoding: 'utf8' }));
}
