// The words every layer shares: JSON text that is passed on as it came, messages, revisions.

/**
 * A slice of JSON text that is one whole JSON value. mcpx passes values on as the text they came in, so that key
 * order, unknown keys, duplicate keys and numbers beyond 2^53 survive; parsed copies serve only for reading.
 *
 * Plain text cannot pass for it: only the scanner's slices, `quote`, `jsonOf`, `json` and `checkedJson` (json-text.ts)
 * are JsonText, and the few literals that are written everywhere.
 */
export type JsonText = (string & JsonTextBrand) | '{}' | '[]' | 'true' | 'false' | 'null';

/** What tells JSON from any other text, in src alone: see json-text-brand.d.ts. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled where src is compiled
export interface JsonTextBrand {}

/** The protocol revisions mcpx speaks, oldest first. */
export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** One JSON-RPC message. `id`, `params`, `result` and `error` are slices of `text`, unparsed. */
export type Message =
  | {
      readonly kind: 'request';
      readonly id: JsonText;
      readonly method: string;
      readonly params: JsonText | undefined;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonText | undefined }
  | { readonly kind: 'result'; readonly id: JsonText; readonly result: JsonText }
  | { readonly kind: 'error'; readonly id: JsonText; readonly error: JsonText };

export type Request = Extract<Message, { kind: 'request' }>;
export type Notification = Extract<Message, { kind: 'notification' }>;

/** How a request ended: the text of its result, or of its JSON-RPC error object. */
export type Reply = { readonly result: JsonText } | { readonly error: JsonText };

/** The three answers to a question; they are never mixed up (ELI-03). */
export type Action = 'accept' | 'decline' | 'cancel';
export const ACTIONS: readonly Action[] = ['accept', 'decline', 'cancel'];

export type Mode = 'form' | 'url';
