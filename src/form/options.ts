// The choices of a select, in every spelling that servers use for them (ELI-04, C01).

import { jsonOf } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import { isList, isObject, type Json, type JsonObject, own, ownString } from './json.ts';
import type { Option } from './types.ts';

export type Options = { readonly options: readonly Option[] } | { readonly why: string } | undefined;

/**
 * The choices that a schema offers: `enum`, with `enumNames` where there are any, `oneOf` or `anyOf` of constants
 * with titles, or one `const`. `undefined` if it offers none; `why` if it offers what cannot be listed. A label
 * that is missing is the value.
 */
export function optionsOf(schema: JsonObject): Options {
  const values = own(schema, 'enum');
  if (isList(values)) {
    const names = own(schema, 'enumNames');
    return listed(values, (index) => (isList(names) ? names[index] : undefined), own(schema, 'type'));
  }
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = own(schema, keyword);
    if (isList(branches) && branches.length > 0 && branches.every(isConstant)) {
      const objects = branches.filter(isObject);
      return listed(
        objects.map((branch) => constantOf(branch) ?? null),
        (index) => ownString(objects[index] ?? {}, 'title'),
        own(schema, 'type'),
      );
    }
  }
  const constant = own(schema, 'const');
  return constant === undefined ? undefined : listed([constant], () => undefined, own(schema, 'type'));
}

/** A choice's value as it stands on the wire. */
export function optionText(option: Option): JsonText {
  return jsonOf(option.value);
}

function listed(
  values: readonly Json[],
  labelAt: (index: number) => Json | undefined,
  type: Json | undefined,
): Options {
  const options = new Map<Option['value'], Option>();
  for (const [index, value] of values.entries()) {
    if (typeof value === 'object' && value !== null)
      return { why: 'it offers choices that are lists or objects' };
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      return { why: 'it offers numbers too large to be exact' };
    }
    if (typeof type === 'string' && !isOfType(value, type))
      return { why: 'it offers choices that are not of its type' };
    const label = labelAt(index);
    const shown = typeof label === 'string' && label.trim() !== '' ? label : shownValue(value);
    if (!options.has(value)) options.set(value, { value, label: shown });
  }
  return options.size === 0 ? { why: 'it offers no choice at all' } : { options: [...options.values()] };
}

function shownValue(value: Option['value']): string {
  return typeof value === 'string' && value.trim() !== '' ? value : JSON.stringify(value);
}

function isOfType(value: Option['value'], type: string): boolean {
  if (value === null) return type === 'null';
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function isConstant(branch: Json): boolean {
  return isObject(branch) && constantOf(branch) !== undefined;
}

function constantOf(branch: JsonObject): Json | undefined {
  const constant = own(branch, 'const');
  if (constant !== undefined) return constant;
  const values = own(branch, 'enum');
  return isList(values) && values.length === 1 ? values[0] : undefined;
}
