// A list on the terminal to choose one or some of, drawn by @inquirer: arrows, numbers where they are shown, a filter
// in long ones.
import { styleText } from 'node:util';
import { createPrompt, makeTheme, useKeypress, usePagination, usePrefix, useState } from '@inquirer/core';
import type { PromptKey } from './key-stream.ts';
import { BACK } from './streams.ts';

export interface ListRow {
  readonly name: string;
  readonly description?: string;
  /** No choice of the field itself: it has no number and does not make the list longer. */
  readonly isExtra?: true;
}

export interface ListConfig {
  readonly message: string;
  readonly rows: readonly ListRow[];
  /** The row under the cursor at first; -1 for none, so that Enter alone chooses nothing. */
  readonly start: number;
  /** Choices are marked, and Enter takes all that are. */
  readonly marked?: readonly number[];
  /** Told what is marked after each change. */
  readonly onChange?: (marked: readonly number[]) => void;
  /** Says what is wrong with what is marked. */
  readonly validate?: (marked: readonly number[]) => true | string;
  /**
   * Choices of a field. Their first letters find them, and with `number` their numbers too, or what is typed filters
   * them where they are more than nine.
   */
  readonly finds?: 'letter' | 'number';
  /** What Esc goes back to; absent where it does nothing. */
  readonly back?: string;
}

/** Up to so many rows have a number each, and a digit finds its row; from one more on typing filters. */
const MOST_NUMBERED = 9;
/** Lines of a list that are shown at once; the rest scrolls. */
const PAGE = 10;
const HIDE_CURSOR = '\u001b[?25l';

/** The indexes of what was chosen, one where nothing is marked; or BACK. */
export const listPrompt = createPrompt<readonly number[] | typeof BACK, ListConfig>((config, done) => {
  const { rows, finds, back, marked: first } = config;
  const filters = finds === 'number' && rows.filter(({ isExtra }) => !isExtra).length > MOST_NUMBERED;
  const isNumbered = finds === 'number' && !filters;
  const theme = makeTheme({});
  const [status, setStatus] = useState<'idle' | 'done'>('idle');
  const prefix = usePrefix({ status, theme });
  const [filter, setFilter] = useState('');
  const [at, setAt] = useState(config.start);
  const [marked, setMarked] = useState(first ?? []);
  const [error, setError] = useState<string | undefined>(undefined);
  const [resumed, setResumed] = useState(0);
  const shown = matching(rows, filter);
  const current = shown[at];

  const refilter = (text: string): void => {
    setFilter(text);
    setAt(0);
  };
  const toggle = (row: number): void => {
    const next = marked.includes(row)
      ? marked.filter((one) => one !== row)
      : [...marked, row].sort((a, b) => a - b);
    setMarked(next);
    config.onChange?.(next);
  };
  const enter = (): void => {
    const chosen = first === undefined ? (current === undefined ? undefined : [current]) : marked;
    if (chosen === undefined) {
      setError(shown.length === 0 ? 'Nothing fits; press Backspace.' : 'Choose one first, with ↑ or ↓.');
      return;
    }
    const verdict = first === undefined ? true : (config.validate?.(chosen) ?? true);
    if (verdict === true) {
      setStatus('done');
      done(chosen);
    } else setError(verdict);
  };
  const character = (text: string): void => {
    if (text === ' ' && first !== undefined) {
      if (current !== undefined) toggle(current);
    } else if (filters) {
      if (text !== '/' || filter !== '') refilter(filter + text);
    } else if (text === 'j' || text === 'k') {
      setAt(moved(at, text === 'j' ? 1 : -1, shown.length));
    } else if (isNumbered && /^[1-9]$/.test(text)) {
      const row = Number(text) - 1;
      if (rows[row] === undefined || rows[row].isExtra === true) return;
      setAt(row);
      if (first !== undefined) toggle(row);
    } else if (finds !== undefined) {
      const found = rows.findIndex(({ name }) => name.toLowerCase().startsWith(text.toLowerCase()));
      if (found >= 0) setAt(found);
    }
  };

  useKeypress((event, rl) => {
    const { stroke, sequence = '' } = event as PromptKey;
    // readline has put the character on its line, which a list does not have.
    rl.clearLine(0);
    if (status === 'done' || stroke === 'text') {
      if (stroke === 'text' && filters && !(event as PromptKey).isFolded) refilter(filter + sequence);
      return;
    }
    setError(undefined);
    if (stroke === 'enter') enter();
    else if (stroke === 'up') setAt(moved(at, -1, shown.length));
    else if (stroke === 'down') setAt(moved(at, 1, shown.length));
    else if (stroke === 'pageup') setAt(moved(at, -PAGE, shown.length));
    else if (stroke === 'pagedown') setAt(moved(at, PAGE, shown.length));
    else if (stroke === 'home') setAt(0);
    else if (stroke === 'end') setAt(shown.length - 1);
    else if (stroke === 'backspace') refilter(filter.slice(0, -1));
    else if (stroke === 'resumed') setResumed(resumed + 1);
    else if (stroke === 'esc' && filter !== '') refilter('');
    else if (stroke === 'esc' && back !== undefined) done(BACK);
    else if (sequence !== '' && [...sequence].length === 1) character(sequence);
  });

  const page = usePagination({
    items: shown,
    active: Math.max(0, at),
    pageSize: PAGE,
    loop: false,
    renderItem: ({ item: row, isActive }) => {
      const mark = first === undefined ? '' : marked.includes(row) ? '◉ ' : '◯ ';
      const number = !isNumbered ? '' : rows[row]?.isExtra === true ? '  ' : `${row + 1} `;
      const text = `${isActive && at >= 0 ? '❯' : ' '} ${mark}${number}${rows[row]?.name ?? ''}`;
      return isActive && at >= 0 ? theme.style.highlight(text) : text;
    },
  });
  const message = theme.style.message(config.message, status);
  if (status === 'done') {
    const chosen = first === undefined ? [current ?? 0] : marked;
    return [prefix, message, theme.style.answer(chosen.map((row) => rows[row]?.name ?? '').join(', '))].join(
      ' ',
    );
  }
  const description = current === undefined ? undefined : rows[current]?.description;
  const keys = [
    '↑↓ move',
    ...(first === undefined ? ['Enter choose'] : ['Space take or leave', 'Enter go on']),
    ...(filters ? ['type to filter'] : []),
    ...(back === undefined ? [] : [`Esc ${back}`]),
  ];
  const lines = [
    `${prefix} ${message}${filter === '' ? '' : ` ${styleText('cyan', `filter: ${filter}`)}`}`,
    shown.length === 0 ? '  (nothing fits)' : page,
    ' ',
    ...(description === undefined ? [] : [styleText('cyan', description)]),
    ...(error === undefined ? [] : [theme.style.error(error)]),
    styleText('dim', keys.join(', ')),
  ];
  return `${lines.join('\n')}${HIDE_CURSOR}`;
});

/** The indexes of the rows that hold the filter, in any case. */
function matching(rows: readonly ListRow[], filter: string): readonly number[] {
  const wanted = filter.trim().toLowerCase();
  return [...rows.keys()].filter((row) => rows[row]?.name.toLowerCase().includes(wanted) ?? false);
}

function moved(at: number, by: number, length: number): number {
  if (at < 0) return by > 0 ? 0 : length - 1;
  return Math.max(0, Math.min(length - 1, at + by));
}
