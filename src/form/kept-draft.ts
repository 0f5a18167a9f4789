// A draft as it is kept between two runs of mcpx: what may be kept of it, and what of a kept one still fits.

import { createHash } from 'node:crypto';
import { checkedJson } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import { initialDraft } from './draft.ts';
import { isList, parse } from './json.ts';
import type { Draft, Field, Form } from './types.ts';

/** What a person has entered: values, and by field the texts that cannot be read as one yet. */
export interface Entered {
  readonly draft: Draft;
  readonly texts: ReadonlyMap<string, string>;
}

/** Kept with every draft; another number is of another mcpx, and is not read. */
const VERSION = 1;

/**
 * The text that keeps a draft. Values are pairs, so that a field may have any name. Of secret fields nothing is kept,
 * nor of raw JSON in a form that asks for a secret, which may hold one.
 *
 * @param sensitive the question asks for a secret somewhere
 */
export function keptDraft(form: Form, { draft, texts }: Entered, sensitive: boolean): string {
  const fields = form.fields.filter((field) => isKept(field, sensitive));
  const pairs = (from: ReadonlyMap<string, string>): [string, string][] =>
    fields.flatMap(({ name }): [string, string][] => {
      const value = from.get(name);
      return value === undefined ? [] : [[name, value]];
    });
  return JSON.stringify({
    version: VERSION,
    schema: hash(form.schema),
    values: pairs(draft),
    texts: pairs(texts),
  });
}

/**
 * What a kept text says for this form; `undefined` for a text that is damaged or of another schema. Fields that are
 * not kept have their defaults.
 */
export function restoredDraft(form: Form, text: string, sensitive: boolean): Entered | undefined {
  const kept = parse(text);
  if (typeof kept !== 'object' || kept === null || !('version' in kept) || kept.version !== VERSION)
    return undefined;
  if (!('schema' in kept) || kept.schema !== hash(form.schema)) return undefined;
  const values = 'values' in kept ? pairsOf(kept.values) : undefined;
  const typed = 'texts' in kept ? pairsOf(kept.texts) : undefined;
  if (values === undefined || typed === undefined) return undefined;
  const initial = initialDraft(form);
  const draft = new Map<string, JsonText>();
  const texts = new Map<string, string>();
  for (const field of form.fields) {
    const mayHave = isKept(field, sensitive);
    const value = mayHave ? values.get(field.name) : initial.get(field.name);
    if (value !== undefined) {
      const known = checkedJson(value);
      if (known === undefined) return undefined;
      draft.set(field.name, known);
    }
    const written = mayHave ? typed.get(field.name) : undefined;
    if (written !== undefined) texts.set(field.name, written);
  }
  return { draft, texts };
}

/** Whether what is entered for a field outlives mcpx. */
export function isKept(field: Field, sensitive: boolean): boolean {
  return !field.secret && !(sensitive && field.kind === 'json');
}

function pairsOf(list: unknown): ReadonlyMap<string, string> | undefined {
  if (!isList(list)) return undefined;
  const pairs = new Map<string, string>();
  for (const pair of list) {
    const [name, value]: readonly unknown[] = isList(pair) ? pair : [];
    if (typeof name !== 'string' || typeof value !== 'string') return undefined;
    pairs.set(name, value);
  }
  return pairs;
}

function hash(schema: JsonText): string {
  return createHash('sha256').update(schema).digest('hex');
}
