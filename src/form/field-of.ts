// One property of a requestedSchema turned into the field that asks for it.
import type { JsonText } from '../protocol/types.ts';
import { textFormat } from './formats.ts';
import { isObject, type Json, type JsonObject, own, ownNumber, ownString, parse } from './json.ts';
import { optionsOf } from './options.ts';
import { looksSecret } from './secret.ts';
import type { Field } from './types.ts';

type Base = Pick<Field, 'name' | 'label' | 'description' | 'required' | 'initial' | 'secret'>;

/**
 * The field for a property, without its default. What is outside the flat subset (ELI-02, C04) becomes a `json`
 * field that says why; a keyword with a value of the wrong type counts as absent.
 */
export function fieldOf(name: string, text: JsonText, required: boolean): Field {
  const schema = parse(text);
  if (!isObject(schema)) {
    return { ...baseOf(name, {}, required), kind: 'json', why: 'it has no schema of its own', schema: text };
  }
  const base = baseOf(name, schema, required);
  const drawn = drawnField(base, schema);
  if (!('why' in drawn)) return drawn;
  return { ...base, secret: isSecret(name, schema), kind: 'json', why: drawn.why, schema: text };
}

function drawnField(base: Base, schema: JsonObject): Field | { readonly why: string } {
  if (Object.hasOwn(schema, '$ref') || Object.hasOwn(schema, '$dynamicRef')) {
    return { why: 'it refers to another schema ($ref)' };
  }
  const type = own(schema, 'type');
  if (type === 'object') return { why: 'it asks for an object' };
  if (type === 'array') return multiselect(base, schema);
  const chosen = type === 'boolean' ? undefined : optionsOf(schema);
  if (chosen !== undefined) {
    if ('why' in chosen) return chosen;
    return { ...base, kind: 'select', options: chosen.options };
  }
  return plainField({ ...base, secret: isSecret(base.name, schema) }, schema, type);
}

function plainField(
  base: Base,
  schema: JsonObject,
  type: Json | undefined,
): Field | { readonly why: string } {
  switch (type) {
    case 'string':
      return {
        ...base,
        kind: 'text',
        format: textFormat(ownString(schema, 'format')),
        minLength: ownNumber(schema, 'minLength'),
        maxLength: ownNumber(schema, 'maxLength'),
        pattern: ownString(schema, 'pattern'),
      };
    case 'number':
    case 'integer':
      return {
        ...base,
        kind: type,
        minimum: ownNumber(schema, 'minimum'),
        maximum: ownNumber(schema, 'maximum'),
        exclusiveMinimum: ownNumber(schema, 'exclusiveMinimum'),
        exclusiveMaximum: ownNumber(schema, 'exclusiveMaximum'),
        multipleOf: positive(ownNumber(schema, 'multipleOf')),
      };
    case 'boolean':
      return { ...base, secret: false, kind: 'boolean' };
    case undefined:
      return { why: 'it names no type' };
    default:
      return { why: Array.isArray(type) ? 'it allows several types' : 'its type is unknown' };
  }
}

function multiselect(base: Base, schema: JsonObject): Field | { readonly why: string } {
  const items = own(schema, 'items');
  if (!isObject(items)) return { why: 'it asks for a list of anything' };
  if (Object.hasOwn(items, '$ref')) return { why: 'it refers to another schema ($ref)' };
  const chosen = optionsOf(items);
  if (chosen === undefined) {
    return {
      why:
        own(items, 'type') === 'object'
          ? 'it asks for a list of objects'
          : 'it asks for a list without choices',
    };
  }
  if ('why' in chosen) return chosen;
  return {
    ...base,
    kind: 'multiselect',
    options: chosen.options,
    minItems: ownNumber(schema, 'minItems'),
    maxItems: ownNumber(schema, 'maxItems'),
  };
}

// A select or a switch shows its answers to everybody who sees the question: nothing in it can be secret.
function baseOf(name: string, schema: JsonObject, required: boolean): Base {
  const title = ownString(schema, 'title');
  return {
    name,
    label: title !== undefined && title.trim() !== '' ? title : name,
    description: ownString(schema, 'description'),
    required,
    initial: undefined,
    secret: false,
  };
}

function isSecret(name: string, schema: JsonObject): boolean {
  return looksSecret({
    name,
    title: ownString(schema, 'title'),
    description: ownString(schema, 'description'),
    format: ownString(schema, 'format'),
  });
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
