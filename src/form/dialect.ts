// Which JSON Schema a requestedSchema is written in (ELI-07).
import { type JsonObject, own } from './json.ts';

export type Dialect = '2020-12' | 'draft-07';

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
]);

/** The dialect, 2020-12 unless `$schema` says otherwise; `undefined` for one that mcpx does not check. */
export function dialectOf(schema: JsonObject): Dialect | undefined {
  const named = own(schema, '$schema');
  if (named === undefined) return '2020-12';
  if (typeof named !== 'string') return undefined;
  return DIALECTS.get(
    named
      .trim()
      .replace(/^https?:\/\//, '')
      .replace(/#$/, ''),
  );
}
