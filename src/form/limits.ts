// How large a schema may be (docs/broker.md, "Limits").
import type { JsonText } from '../protocol/types.ts';
import { isList, isObject, own, parse } from './json.ts';
import { requiredNames } from './outline.ts';
import { subschemas } from './walk.ts';

/**
 * The most bytes of a schema, properties in it and choices in it, all levels together; the names are those of
 * `limits` in the config.
 */
export interface SchemaLimits {
  readonly schemaBytes: number;
  readonly properties: number;
  readonly options: number;
}

/** Which limit a schema exceeds and where to raise it, as one sentence; `undefined` if it keeps to all of them. */
export function limitsProblem(requestedSchema: JsonText, limits: SchemaLimits): string | undefined {
  const bytes = Buffer.byteLength(requestedSchema);
  if (bytes > limits.schemaBytes)
    return exceeded(`is ${bytes} bytes long`, 'schemaBytes', limits.schemaBytes);
  let properties = 0;
  let options = 0;
  for (const schema of subschemas(parse(requestedSchema) ?? null)) {
    const named = own(schema, 'properties');
    const names = new Set(isObject(named) ? Object.keys(named) : []);
    // A required name is a field of the form, described or not.
    for (const name of requiredNames(schema)) names.add(name);
    properties += names.size;
    for (const keyword of ['enum', 'oneOf', 'anyOf']) {
      const values = own(schema, keyword);
      if (isList(values)) options += values.length;
    }
  }
  if (properties > limits.properties)
    return exceeded(`has ${properties} properties`, 'properties', limits.properties);
  if (options > limits.options) return exceeded(`has ${options} options`, 'options', limits.options);
  return undefined;
}

function exceeded(what: string, name: keyof SchemaLimits, limit: number): string {
  return `requestedSchema ${what}, and the limit is ${limit}: raise limits.${name} in mcpx.json`;
}
