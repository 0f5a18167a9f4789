// The keys of a list: moving, choosing, and the filter. Filtering chooses nothing.
import { optionText } from '../../form/options.ts';
import { graphemes } from '../../text/graphemes.ts';
import {
  type Choosable,
  chosenValues,
  highlighted,
  optionRows,
  shownRows,
  toggled,
  withValue,
} from './answers.ts';
import type { Does } from './key-row.ts';
import { LONG_LIST } from './place.ts';
import type { Question } from './types.ts';

/** The most of a filter: longer than any option that one would look for. */
const LONGEST_FILTER = 200;
const NO_ROW = 'No option has that in it. Backspace shortens the filter, Esc ends it.';

/** A question after a key; `goesOn` where it leads to the next field. */
export interface Chosen {
  readonly question: Question;
  readonly notice?: string;
  readonly goesOn?: boolean;
}

/** What a key of the table does in a list; `page` is how many rows a screen up or down are. */
export function choiceKey(
  question: Question,
  field: Choosable,
  does: Does,
  stroke: string,
  page: number,
): Chosen | undefined {
  const shown = shownRows(question, field);
  const at = highlighted(question, field);
  const spot = shown.indexOf(at);
  const light = (to: number): Chosen => {
    const place = shown[Math.min(shown.length - 1, Math.max(0, to))];
    return { question: place === undefined ? question : lit(question, field, place) };
  };
  switch (does) {
    case 'up':
      return light(spot - 1);
    case 'down':
      return light(spot + 1);
    case 'page-up':
      return light(spot - page);
    case 'page-down':
      return light(spot + page);
    case 'first':
      return light(0);
    case 'last':
      return light(shown.length - 1);
    case 'choose':
      return at < 0
        ? { question, notice: NO_ROW }
        : { question: chosen(question, field, at, false), goesOn: true };
    case 'mark':
      return at < 0 ? { question, notice: NO_ROW } : { question: chosen(question, field, at, true) };
    case 'toggle':
      return at < 0 ? { question, notice: NO_ROW } : toggle(question, field, at);
    case 'pick':
      return pick(question, field, Number(stroke) - 1);
    case 'filter':
      return { question: filtered(question, field, '') };
    case 'filter-erase': {
      const kept = graphemes(question.filter.get(field.name) ?? '').slice(0, -1);
      return { question: filtered(question, field, kept.join('')) };
    }
    case 'filter-empty':
      return { question: filtered(question, field, '') };
    case 'filter-leave':
      return { question: filtered(question, field, undefined) };
    default:
      return undefined;
  }
}

/** Text typed in a list: the filter, where there is one or the list is long enough to begin one. */
export function filterText(question: Question, field: Choosable, added: string): Question {
  const filter = question.filter.get(field.name);
  if (filter === undefined && field.options.length < LONG_LIST) return question;
  const next = `${filter ?? ''}${added}`;
  return next.length > LONGEST_FILTER ? question : filtered(question, field, next);
}

function lit(question: Question, field: Choosable, place: number): Question {
  return {
    ...question,
    highlight: new Map(question.highlight).set(field.name, place),
    top: undefined,
  };
}

/** With another filter the first row that is left is highlighted; without one the row stays. */
function filtered(question: Question, field: Choosable, filter: string | undefined): Question {
  const filters = new Map(question.filter);
  const highlight = new Map(question.highlight);
  const at = highlighted(question, field);
  if (filter === undefined) {
    filters.delete(field.name);
    if (at >= 0) highlight.set(field.name, at);
  } else {
    filters.set(field.name, filter);
    if (filter !== '') highlight.delete(field.name);
  }
  const next = { ...question, filter: filters, highlight, top: undefined };
  const [first] = shownRows(next, field);
  if (filter === undefined || filter === '' || first === undefined) return next;
  return { ...next, highlight: highlight.set(field.name, first) };
}

function pick(question: Question, field: Choosable, index: number): Chosen | undefined {
  const row = optionRows(field)[index];
  if (index >= optionRows(field).length) return undefined;
  const next = lit(question, field, index);
  if (field.kind === 'multiselect') return row === undefined ? undefined : toggle(next, field, index);
  return { question: chosen(next, field, index, true), goesOn: true };
}

/** Enter on what is chosen already chooses nothing, so that it is no sign of a person either (C45). */
function chosen(question: Question, field: Choosable, index: number, isMeant: boolean): Question {
  const option = optionRows(field)[index];
  const isSame =
    option === undefined ? !question.draft.has(field.name) : chosenValues(question, field).has(option.value);
  if (isSame && !isMeant) return question;
  return withValue(question, field, option === undefined ? undefined : optionText(option));
}

function toggle(question: Question, field: Choosable, index: number): Chosen {
  const option = field.options[index];
  if (option === undefined || field.kind !== 'multiselect') return { question };
  const next = toggled(question, field, option);
  if (next !== undefined) return { question: next };
  return { question, notice: `No more than ${field.maxItems} can be taken; leave one first.` };
}
