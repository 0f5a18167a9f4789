// Walks one form question with line prompts: who asks, the fields, a review of what is sent, then the person's choice.

import type { FieldProblem } from '../errors.ts';
import { initialDraft, setValue } from '../form/draft.ts';
import type { Entered } from '../form/kept-draft.ts';
import type { Checked, Draft, Field, Form } from '../form/types.ts';
import type { JsonText } from '../protocol/types.ts';
import { valueWords } from '../terminal/field-words.ts';
import { oneLine } from '../terminal/one-line.ts';
import { padEnd, width } from '../text/columns.ts';
import { askField } from './ask-field.ts';
import { choose, isMeant, OTHER_WAYS } from './choose.ts';
import { BACK, type PromptStreams } from './streams.ts';

/** What the person decided. `leave` sends nothing and leaves the question open. */
export type Walked =
  | { readonly action: 'accept'; readonly content: JsonText }
  | { readonly action: 'decline' | 'cancel' | 'leave' };

type Refused = 'decline' | 'cancel' | 'leave';

/** What was entered in an earlier walk, and who keeps what is entered in this one. */
export interface Kept {
  readonly start?: Entered | undefined;
  /** Told of every change, also of a text that is still being typed. */
  readonly onChange?: (entered: Entered) => void;
}

/**
 * Walks the form and returns what is to be sent; it sends nothing itself. The caller has shown who asks what.
 *
 * @param server the name of the server that asks, inert
 * @param check holds what was entered against the whole schema, on a thread of its own
 * @param kept a draft to start from; a review of it as it was stands on the way back
 * @throws WalkStopped on Ctrl-C, the end of the input, and when `streams.signal` aborts
 */
export async function walk(
  server: string,
  form: Form,
  streams: PromptStreams,
  check: (draft: Draft) => Promise<Checked>,
  { start, onChange }: Kept = {},
): Promise<Walked> {
  const count = form.fields.length;
  const first = start?.draft ?? initialDraft(form);
  let draft = first;
  let texts = start?.texts ?? new Map<string, string>();
  const enter = async (field: Field, back: string): Promise<boolean> => {
    const { name } = field;
    const { value, isBack } = await askField(
      streams,
      field,
      {
        value: draft.get(name),
        text: texts.get(name),
        onChange: (now, text) =>
          onChange?.({ draft: setValue(draft, name, now), texts: setValue(texts, name, text) }),
      },
      back,
    );
    draft = setValue(draft, name, value);
    texts = setValue(texts, name, undefined);
    onChange?.({ draft, texts });
    return isBack;
  };
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
      at += (await enter(field, back)) ? -1 : 1;
      continue;
    }
    const isTouched = form.fields.some(({ name }) => first.get(name) !== draft.get(name));
    const reviewed = await review(streams, server, form, draft, await check(draft), isTouched);
    if (reviewed === BACK) at = count - 1;
    else if (reviewed === 'edit') {
      const chosen = await whichField(streams, form);
      if (chosen !== undefined) await enter(chosen, 'back');
    } else return reviewed;
  }
}

/** What is sent, and the choice what to do with it; it stands on Send only after the person has changed something (C45). */
async function review(
  streams: PromptStreams,
  server: string,
  form: Form,
  draft: Draft,
  checked: Checked,
  isTouched: boolean,
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
        start: checked.ok && isTouched ? 'send' : hasFields ? 'edit' : 'leave',
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

async function whichField(streams: PromptStreams, form: Form): Promise<Field | undefined> {
  const ways = form.fields.map((field, value) => ({ value, name: oneLine(field.label) }));
  const index = await choose(streams, 'Which field?', ways, { back: 'back', finds: 'number' });
  return index === BACK ? undefined : form.fields[index];
}

function fieldCount(count: number): string {
  return count === 1 ? '1 field' : `${count} fields`;
}

function write(streams: PromptStreams, lines: readonly string[]): void {
  streams.output.write(`${lines.join('\n')}\n`);
}

/** One line a field, in schema order, with JSON types; a field that is not set is said not to be sent. */
export function reviewLines(form: Form, draft: Draft): string[] {
  if (form.fields.length === 0) return ['  {}  (the question has no fields)'];
  const names = form.fields.map((field) => oneLine(field.name));
  const column = Math.min(30, Math.max(...names.map(width)));
  return form.fields.map((field, index) => {
    const value = draft.get(field.name);
    const shown = value === undefined ? '(not sent)' : valueWords(field, value);
    return `  ${padEnd(names[index] ?? '', column)}  ${shown}`;
  });
}

/** What is wrong, one line each, with the field in front where it is one field's. */
export function problemLines(problems: readonly FieldProblem[]): string[] {
  return problems.map(({ path, message }) => {
    const name = path.replace(/^\//, '').replaceAll('~1', '/').replaceAll('~0', '~');
    return `  ! ${name === '' ? '' : `${oneLine(name)}: `}${oneLine(message)}`;
  });
}
