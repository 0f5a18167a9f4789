// Walks one form question with line prompts: who asks, the fields, a review of what is sent, then the person's choice.
import { initialDraft, setValue } from '../form/draft.ts';
import type { Checked, Draft, Form } from '../form/types.ts';
import type { JsonText } from '../protocol/types.ts';
import { oneLine } from '../terminal/one-line.ts';
import { askField } from './ask-field.ts';
import { choose, isMeant, OTHER_WAYS } from './choose.ts';
import { problemLines, reviewLines } from './review.ts';
import { BACK, type PromptStreams } from './streams.ts';

/** What the person decided. `leave` sends nothing and leaves the question open. */
export type Walked =
  | { readonly action: 'accept'; readonly content: JsonText }
  | { readonly action: 'decline' | 'cancel' | 'leave' };

type Refused = 'decline' | 'cancel' | 'leave';

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
  const count = form.fields.length;
  let draft = initialDraft(form);
  // -1 is the choice before the first field, `count` the review after the last.
  for (let at = count > 0 ? -1 : count; ; ) {
    if (at < 0) {
      const next = await choose(streams, 'What do you want to do?', [
        { value: 'answer', name: `Answer it (${fieldCount(count)})` } as const,
        ...OTHER_WAYS,
      ]);
      if (next === 'answer') at = 0;
      else if (next !== BACK && (await isDecided(streams, server, next))) return { action: next };
      continue;
    }
    const field = form.fields[at];
    if (field !== undefined) {
      const back = at === 0 ? 'back' : 'previous field';
      const { value, isBack } = await askField(streams, field, draft.get(field.name), back);
      draft = setValue(draft, field.name, value);
      at += isBack ? -1 : 1;
      continue;
    }
    const reviewed = await review(streams, server, form, draft, await check(draft));
    if (reviewed === BACK) at = count - 1;
    else if (reviewed === 'edit') draft = await editOne(streams, form, draft);
    else return reviewed;
  }
}

/** What is sent, and the choice what to do with it; it stands on Send only after the person has entered something (C45). */
async function review(
  streams: PromptStreams,
  server: string,
  form: Form,
  draft: Draft,
  checked: Checked,
): Promise<Walked | 'edit' | typeof BACK> {
  const hasFields = form.fields.length > 0;
  for (;;) {
    write(streams, ['', `What ${server} gets if you send it:`, ...reviewLines(form, draft)]);
    if (!checked.ok) write(streams, ['It cannot be sent yet:', ...problemLines(checked.problems)]);
    const next = await choose<'send' | 'edit' | Refused>(
      streams,
      checked.ok ? 'Send this?' : 'What now?',
      [
        ...(checked.ok ? [{ value: 'send', name: 'Send' } as const] : []),
        ...(hasFields ? [{ value: 'edit', name: 'Go back and change a field' } as const] : []),
        ...OTHER_WAYS,
      ],
      {
        start: checked.ok && isTouched(form, draft) ? 'send' : hasFields ? 'edit' : 'leave',
        ...(hasFields ? { back: 'last field' } : {}),
      },
    );
    if (next === BACK || next === 'edit') return next;
    if (next === 'send') {
      if (checked.ok) return { action: 'accept', content: checked.content };
    } else if (await isDecided(streams, server, next)) return { action: next };
  }
}

/** Leaving sends nothing and is taken at once; what refuses is asked once more. */
function isDecided(streams: PromptStreams, server: string, action: Refused): Promise<boolean> {
  return action === 'leave' ? Promise.resolve(true) : isMeant(streams, server, action);
}

async function editOne(streams: PromptStreams, form: Form, draft: Draft): Promise<Draft> {
  const ways = form.fields.map((field, value) => ({ value, name: oneLine(field.label) }));
  const index = await choose(streams, 'Which field?', ways, { back: 'back', finds: 'number' });
  const field = index === BACK ? undefined : form.fields[index];
  if (field === undefined) return draft;
  const { value } = await askField(streams, field, draft.get(field.name), 'back');
  return setValue(draft, field.name, value);
}

/** The person has entered something that the defaults do not say. */
function isTouched(form: Form, draft: Draft): boolean {
  const initial = initialDraft(form);
  return form.fields.some(({ name }) => initial.get(name) !== draft.get(name));
}

function fieldCount(count: number): string {
  return count === 1 ? '1 field' : `${count} fields`;
}

function write(streams: PromptStreams, lines: readonly string[]): void {
  streams.output.write(`${lines.join('\n')}\n`);
}
