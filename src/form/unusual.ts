// What a person is told about a schema that is not the usual flat one.
import { dialectOf } from './dialect.ts';
import { isList, isObject, type Json, type JsonObject, own, ownString } from './json.ts';
import { isUsable } from './patterns.ts';
import type { Field } from './types.ts';
import { subschemas } from './walk.ts';
import { list, named } from './words.ts';

const ACROSS_FIELDS = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'patternProperties',
  'minProperties',
  'maxProperties',
  'propertyNames',
];

/** Sentences on what is unusual, none for a schema of the flat subset. */
export function unusualOf(schema: JsonObject, fields: readonly Field[]): string[] {
  const found: string[] = [];
  if (dialectOf(schema) === undefined) {
    const dialect = own(schema, '$schema');
    const shown = named(typeof dialect === 'string' ? dialect : JSON.stringify(dialect));
    found.push(
      `The schema is written in a dialect mcpx does not check (${shown}): only its fields are checked.`,
    );
  }
  const type = own(schema, 'type');
  if (type !== undefined && type !== 'object') found.push('The schema does not describe an object.');
  const properties = own(schema, 'properties');
  if (properties !== undefined && !isObject(properties)) found.push('Its properties are not an object.');
  for (const field of fields) {
    if (field.kind === 'json') {
      found.push(
        `${named(field.name)} cannot be shown as a field, since ${field.why}; give its value as JSON.`,
      );
    } else if (field.kind === 'text' && field.pattern !== undefined && !isUsable(field.pattern)) {
      found.push(
        `The pattern of ${named(field.name)} is not a regular expression that mcpx knows, and is not checked.`,
      );
    }
  }
  const across = ACROSS_FIELDS.filter((keyword) => Object.hasOwn(schema, keyword));
  if (across.length > 0) found.push(`The fields depend on each other (${across.join(', ')}).`);
  const missing = unresolved(schema);
  if (missing.length > 0) {
    found.push(
      `It refers to something outside itself (${list(missing)}): nothing is fetched, and only its fields are checked.`,
    );
  }
  return found;
}

/** The `$ref`s that lead nowhere inside the schema. */
function unresolved(schema: JsonObject): string[] {
  const references = new Set<string>();
  const names = new Set<string>();
  for (const inner of subschemas(schema)) {
    for (const keyword of ['$ref', '$dynamicRef']) {
      const reference = ownString(inner, keyword);
      if (reference !== undefined) references.add(reference);
    }
    for (const keyword of ['$anchor', '$dynamicAnchor']) names.add(`#${ownString(inner, keyword) ?? ''}`);
    const id = ownString(inner, '$id');
    if (id !== undefined) names.add(id.replace(/#$/, ''));
  }
  return [...references].filter((reference) => {
    if (names.has(reference.replace(/#$/, '')) || reference === '#') return false;
    return !reference.startsWith('#/') || !leadsSomewhere(schema, reference.slice(2));
  });
}

function leadsSomewhere(schema: JsonObject, path: string): boolean {
  let value: Json | undefined = schema;
  for (const raw of path.split('/')) {
    const token = decoded(raw).replaceAll('~1', '/').replaceAll('~0', '~');
    if (isList(value)) value = value[Number(token)];
    else value = isObject(value) ? own(value, token) : undefined;
  }
  return value !== undefined;
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
