// Walks one form question with line prompts: who asks, the fields, a review of what is sent, then the person's choice.
import { initialDraft, setValue } from '../form/draft.ts';
import type { Checked, Draft, Form } from '../form/types.ts';
import type { JsonText } from '../protocol/types.ts';
import { oneLine } from '../terminal/one-line.ts';
import { askField } from './ask-field.ts';
import { choose, DEAF_MS, OTHER_WAYS } from './choose.ts';
import { deafFor } from './deaf.ts';
import { problemLines, reviewLines } from './review.ts';
import type { PromptStreams } from './streams.ts';

/** What the person decided. `leave` sends nothing and leaves the question open. */
export type Walked =
  | { readonly action: 'accept'; readonly content: JsonText }
  | { readonly action: 'decline' | 'cancel' | 'leave' };

/**
 * Walks the form and returns what is to be sent; it sends nothing itself. The caller has shown who asks what.
 *
 * @param server the name of the server that asks, inert
 * @param check holds what was entered against the whole schema, on a thread of its own
 * @throws WalkStopped on Ctrl-C, the end of the input, and when `streams.signal` aborts
 */
export async function walk(
  server: string,
  form: Form,
  streams: PromptStreams,
  check: (draft: Draft) => Promise<Checked>,
): Promise<Walked> {
  let draft = initialDraft(form);
  if (form.fields.length > 0) {
    const first = await choose(streams, 'What do you want to do?', [
      { value: 'answer', name: `Answer it (${fieldCount(form)})` } as const,
      ...OTHER_WAYS,
    ]);
    if (first !== 'answer') return { action: first };
    for (const field of form.fields) {
      draft = setValue(draft, field.name, await askField(streams, field, draft.get(field.name)));
    }
  }
  for (;;) {
    const checked = await check(draft);
    write(streams, ['', `What ${server} gets if you send it:`, ...reviewLines(form, draft)]);
    if (!checked.ok) write(streams, ['It cannot be sent yet:', ...problemLines(checked.problems)]);
    await deafFor(streams, DEAF_MS);
    const next = await choose(streams, checked.ok ? 'Send this?' : 'What now?', [
      ...(checked.ok ? [{ value: 'send', name: 'Send' } as const] : []),
      ...(form.fields.length > 0 ? [{ value: 'edit', name: 'Change a field' } as const] : []),
      ...OTHER_WAYS,
    ]);
    if (next === 'edit') draft = await editOne(streams, form, draft);
    else if (next !== 'send') return { action: next };
    else if (checked.ok) return { action: 'accept', content: checked.content };
  }
}

async function editOne(streams: PromptStreams, form: Form, draft: Draft): Promise<Draft> {
  const index = await choose(
    streams,
    'Which field?',
    form.fields.map((field, at) => ({ value: at, name: oneLine(field.label) })),
  );
  const field = form.fields[index];
  if (field === undefined) return draft;
  return setValue(draft, field.name, await askField(streams, field, draft.get(field.name)));
}

function fieldCount(form: Form): string {
  return form.fields.length === 1 ? '1 field' : `${form.fields.length} fields`;
}

function write(streams: PromptStreams, lines: readonly string[]): void {
  streams.output.write(`${lines.join('\n')}\n`);
}
