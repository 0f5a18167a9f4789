// A requestedSchema turned into fields, once, for every surface (docs/terminal.md, "Forms").
import type { FieldProblem } from '../errors.ts';
import type { JsonText } from '../protocol/types.ts';

/** A choice of a select: what is sent and what is shown. */
export interface Option {
  readonly value: string | number | boolean | null;
  readonly label: string;
}

interface FieldBase {
  /** The property name: a plain own key, whatever it is called. */
  readonly name: string;
  /** What a person sees: the title, or the name. Untrusted text, made inert only when drawn. */
  readonly label: string;
  readonly description: string | undefined;
  readonly required: boolean;
  /** The default, where it fits this very field; `undefined` otherwise. */
  readonly initial: unknown;
  /** Asks for a password, token, key … (ELI-13). */
  readonly secret: boolean;
}

export type Field =
  | (FieldBase & {
      readonly kind: 'text';
      readonly format: 'email' | 'uri' | 'date' | 'date-time' | undefined;
      readonly minLength: number | undefined;
      readonly maxLength: number | undefined;
      readonly pattern: string | undefined;
    })
  | (FieldBase & {
      readonly kind: 'number' | 'integer';
      readonly minimum: number | undefined;
      readonly maximum: number | undefined;
      readonly exclusiveMinimum?: number | undefined;
      readonly exclusiveMaximum?: number | undefined;
      readonly multipleOf?: number | undefined;
    })
  | (FieldBase & { readonly kind: 'boolean' })
  | (FieldBase & { readonly kind: 'select'; readonly options: readonly Option[] })
  | (FieldBase & {
      readonly kind: 'multiselect';
      readonly options: readonly Option[];
      readonly minItems: number | undefined;
      readonly maxItems: number | undefined;
    })
  /**
   * A property that cannot be drawn: answered as raw JSON under the same validator; `why` names what is unusual,
   * `schema` is the property's own.
   */
  | (FieldBase & { readonly kind: 'json'; readonly why: string; readonly schema?: JsonText | undefined });

export interface Form {
  /** In the schema's own order. */
  readonly fields: readonly Field[];
  readonly schema: JsonText;
  /** Sentences on what is unusual about the schema (unknown dialect, nested objects …); empty for a usual one. */
  readonly unusual: readonly string[];
}

/**
 * What a person has entered so far: a Map from property name to the JSON text of its value; a name that is not in
 * it is unset and will be absent from the content.
 */
export type Draft = ReadonlyMap<string, JsonText>;

/** The content that would be sent, as JSON text with the fields in schema order, or what is wrong with it. */
export type Checked =
  | { readonly ok: true; readonly content: JsonText }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };
