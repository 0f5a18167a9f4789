// The version of this copy of mcpx.
import { readFileSync } from 'node:fs';

/** From package.json, which is two folders up both from the source and from the build. */
export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed === 'object' && parsed !== null && 'version' in parsed) return String(parsed.version);
  throw new TypeError('package.json has no version');
}
