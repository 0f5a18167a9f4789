// What others ask of this part when a server's words have to be run: each answer is a promise, since the work is done
// where it holds up nobody (C47). `src/checks/` does it in threads of its own; here stands only what is asked.
import type { JsonText } from '../protocol/types.ts';
import type { Outline } from './outline.ts';
import type { Checked, Draft, Form } from './types.ts';

/**
 * Checks on behalf of an asker: the name of the server that wrote the schema. What one asker's schema costs makes only
 * that asker's other checks wait. No answer is late for having waited; one that itself takes too long is "does not fit".
 */
export interface FormChecks {
  /** As `outlineOf`; `undefined` when it took too long. */
  outline(asker: string, schema: JsonText): Promise<Outline | undefined>;
  /** As `formOf`: a form whose defaults could not be tried in time is given without those, and says so. */
  form(asker: string, schema: JsonText): Promise<Form>;
  /** As `checkContent`. */
  content(asker: string, schema: JsonText, content: JsonText): Promise<Checked>;
  /** As `check`. */
  draft(asker: string, form: Form, draft: Draft): Promise<Checked>;
  /** Whether a regular expression without flags is found in a text; `undefined` when it took too long. */
  found(asker: string, pattern: string, text: string): Promise<boolean | undefined>;
}

/** One piece of work, as it is handed to a thread. */
export type Job =
  | { readonly do: 'outline'; readonly schema: JsonText }
  | { readonly do: 'form'; readonly schema: JsonText }
  | { readonly do: 'content'; readonly schema: JsonText; readonly content: JsonText }
  | { readonly do: 'draft'; readonly schema: JsonText; readonly draft: Draft }
  | { readonly do: 'found'; readonly pattern: string; readonly text: string };
