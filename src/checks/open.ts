// The checks of forms as everybody gets them: in place where the cost is no more than a short text's length, else in a
// thread of their own.
import { type Clock, systemClock } from '../clock.ts';
import { contentAnswer, draftAnswer } from '../form/answer.ts';
import type { FormChecks, Job } from '../form/checks.ts';
import { type Outline, outlineOf } from '../form/outline.ts';
import { isPlain, isSmall, SMALL } from '../form/plain.ts';
import type { Checked, Form } from '../form/types.ts';
import { LATE } from '../form/words.ts';
import type { JsonText } from '../protocol/types.ts';
import { type Outcome, Threads } from './threads.ts';

/** Checks that have threads to end. */
export interface OpenChecks extends FormChecks {
  /** Ends the threads; checks that still wait come to "does not fit". */
  close(): Promise<void>;
}

/** Nothing is started until a schema needs it. Only real time can limit real work: `clock` is for tests of this part. */
export function openChecks(clock: Clock = systemClock): OpenChecks {
  const threads = new Threads(clock);

  async function outline(asker: string, schema: JsonText): Promise<Outline | undefined> {
    if (schema.length <= SMALL) return outlineOf(schema);
    const outcome = await threads.run(asker, { do: 'outline', schema });
    return outcome.ok ? (outcome.value as Outline) : undefined;
  }

  async function form(asker: string, schema: JsonText): Promise<Form> {
    const first = await outline(asker, schema);
    if (first === undefined) return { fields: [], schema, unusual: [UNREAD] };
    if (first.doubtful.size === 0) return first.form;
    const outcome = await threads.run(asker, { do: 'form', schema });
    if (outcome.ok) return outcome.value as Form;
    return { ...first.form, unusual: [...first.form.unusual, UNTRIED] };
  }

  /** The form of a small schema that can be checked in place. */
  function plain(schema: JsonText): Form | undefined {
    if (schema.length > SMALL) return undefined;
    const { form: small } = outlineOf(schema);
    return isPlain(small) ? small : undefined;
  }

  async function checked(asker: string, job: Job): Promise<Checked> {
    return checkedOf(await threads.run(asker, job));
  }

  return {
    outline,
    form,
    async content(asker, schema, content) {
      const small = isSmall(content) ? plain(schema) : undefined;
      return small === undefined
        ? checked(asker, { do: 'content', schema, content })
        : contentAnswer(small, content, () => []);
    },
    async draft(asker, { schema }, draft) {
      let length = 0;
      for (const value of draft.values()) length += value.length;
      const small = length <= SMALL ? plain(schema) : undefined;
      return small === undefined
        ? checked(asker, { do: 'draft', schema, draft })
        : draftAnswer(small, draft, () => []);
    },
    async found(asker, pattern, text) {
      if (LITERAL.test(pattern)) return new RegExp(pattern).test(text);
      const outcome = await threads.run(asker, { do: 'found', pattern, text });
      return outcome.ok ? outcome.value === true : undefined;
    },
    close: () => threads.close(),
  };
}

/** Checks for one command, ended with it. */
export async function withChecks<T>(use: (checks: FormChecks) => Promise<T>): Promise<T> {
  const checks = openChecks();
  try {
    return await use(checks);
  } finally {
    await checks.close();
  }
}

const UNREAD = 'The schema of this question could not be read in time.';
const UNTRIED = 'Its defaults could not be checked in time and are left out.';
/** An expression that is only a text, where nothing can be tried twice. */
const LITERAL = /^\^?[^\\^$.*+?()[\]{}|]*\$?$/;

function checkedOf(outcome: Outcome): Checked {
  return outcome.ok ? (outcome.value as Checked) : { ok: false, problems: [{ path: '', message: LATE }] };
}
