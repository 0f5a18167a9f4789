// What the state asks of the outside, done; what comes of it goes back as an event.
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { FormChecks } from '../form/checks.ts';
import { oneLine } from '../terminal/one-line.ts';
import { reasonOf } from './feed.ts';
import { clipboard, notice } from './modes.ts';
import type { RowSource } from './row-source.ts';
import type { Effect, Event } from './state/types.ts';
import { firstLine } from './view/words.ts';

/** How long the wait for the server to take an answer is; the row shows it later as well. */
const DELIVERY_MS = 5_000;

export interface Outside {
  readonly source: RowSource;
  readonly clock: Clock;
  /** Holds answers against schemas where the screen does not wait for it (C47). */
  readonly checks: FormChecks;
  /** Has the person's browser open a URL; rejects when that fails (C33). */
  readonly openUrl: (url: string) => Promise<void>;
  /** Rings on new questions. */
  readonly bell: boolean;
  /** Writes to the terminal what does not move its cursor. */
  write(text: string): void;
  /** Has the text changed in the person's editor; `undefined` leaves it as it is. */
  edit(text: string, kind: 'txt' | 'json'): Promise<string | undefined>;
  suspend(): void;
  quit(interrupted: boolean): void;
}

export async function perform(
  effect: Effect,
  outside: Outside,
  dispatch: (event: Event) => void,
): Promise<void> {
  switch (effect.do) {
    case 'answer':
      return answer(effect, outside, dispatch);
    case 'open':
      return open(effect, outside, dispatch);
    case 'complete':
      return complete(effect.id, outside, dispatch);
    case 'defaults': {
      const { id, server, schema } = effect;
      return dispatch({ type: 'defaults', id, form: await outside.checks.form(server, schema) });
    }
    case 'check': {
      const { id, server, form, draft } = effect;
      const checked = await outside.checks.draft(server, form, draft);
      return dispatch({ type: 'checked', id, draft, checked });
    }
    case 'copy':
      outside.write(clipboard(effect.text));
      return dispatch({
        type: 'notice',
        message: 'Copied, if this terminal lets programs copy; otherwise select the URL on the screen.',
      });
    case 'edit':
      return edit(effect, outside, dispatch);
    case 'announce':
      if (outside.bell)
        outside.write(
          notice(`${oneLine(effect.row.server)} asks: ${firstLine(effect.row.message).slice(0, 200)}`),
        );
      return undefined;
    case 'suspend':
      return outside.suspend();
    case 'quit':
      return outside.quit(effect.interrupted);
  }
}

async function answer(
  { id, action, content }: Extract<Effect, { do: 'answer' }>,
  { source, clock }: Outside,
  dispatch: (event: Event) => void,
): Promise<void> {
  try {
    const { won, row } = await source.answer(id, { action, ...(content === undefined ? {} : { content }) });
    dispatch({ type: 'settled', row, won, at: clock.now() });
    if (!won) return;
    const delivered = await source.delivery(id, DELIVERY_MS);
    dispatch({ type: 'row', row: delivered, isNew: false, at: clock.now() });
  } catch (error) {
    dispatch({ type: 'refused', id, message: `Not sent: ${reasonOf(error)}` });
  }
}

async function open(
  { id, url }: Extract<Effect, { do: 'open' }>,
  { openUrl }: Outside,
  dispatch: (event: Event) => void,
): Promise<void> {
  const failure = await openUrl(url).then(
    () => undefined,
    (error: unknown) => messageOf(error),
  );
  dispatch({ type: 'opened', id, failure });
}

async function complete(
  id: string,
  { source, clock }: Outside,
  dispatch: (event: Event) => void,
): Promise<void> {
  try {
    dispatch({ type: 'row', row: await source.completed(id), isNew: false, at: clock.now() });
  } catch (error) {
    dispatch({ type: 'refused', id, message: reasonOf(error) });
  }
}

async function edit(
  { id, name, text, kind }: Extract<Effect, { do: 'edit' }>,
  outside: Outside,
  dispatch: (event: Event) => void,
): Promise<void> {
  try {
    const changed = await outside.edit(text, kind);
    if (changed !== undefined) dispatch({ type: 'edited', id, name, text: changed });
  } catch (error) {
    dispatch({ type: 'notice', message: reasonOf(error) });
  }
}
