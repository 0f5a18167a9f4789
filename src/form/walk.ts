// Every subschema of a schema, found by the keywords that hold schemas, so that data in `enum` or `default` is not
// taken for one.
import { isList, isObject, type Json, type JsonObject, own } from './json.ts';

const HOLD_ONE = [
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
];
const HOLD_LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const HOLD_MAP = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
];

/**
 * The schema itself and all schemas inside it that are objects. Keeps its own stack, so that no nesting is too
 * deep.
 */
export function* subschemas(schema: Json): Generator<JsonObject> {
  const waiting: Json[] = [schema];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!isObject(next)) continue;
    yield next;
    for (const keyword of HOLD_ONE) {
      const inner = own(next, keyword);
      if (isObject(inner)) waiting.push(inner);
    }
    for (const keyword of HOLD_LIST) {
      const inner = own(next, keyword);
      if (isList(inner)) for (const item of inner) waiting.push(item);
    }
    for (const keyword of HOLD_MAP) {
      const inner = own(next, keyword);
      if (isObject(inner)) for (const item of Object.values(inner)) waiting.push(item);
    }
  }
}
