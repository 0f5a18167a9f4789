// Looking for a text in everything that lies on the disk.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files below `dir` that hold the text, its hex or its Base64. */
export function holding(dir: string, text: string): string[] {
  const bytes = Buffer.from(text);
  // Base64 of the same bytes looks different at each of three offsets; the first and last characters vary with what is around.
  const shifted = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  );
  const forms = [text, bytes.toString('hex'), ...shifted.filter((one) => one.length >= 8)];
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const content = readFileSync(path);
      return forms.some((form) => content.includes(form));
    });
}
