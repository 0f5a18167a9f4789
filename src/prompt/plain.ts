// Prompts as plain lines that are never redrawn: no sequence at all is written, and choices are typed as numbers.
import type { Input } from '../terminal/key-input.ts';
import { stopIfOver } from './ask.ts';
import type { ListConfig } from './list-prompt.ts';
import { BACK, type PromptStreams, WalkStopped } from './streams.ts';
import type { TextAnswer, TextConfig } from './text-prompt.ts';
import { FOLDED, Typist } from './typist.ts';

interface LineConfig {
  /** What stands in front of the line. */
  readonly mark: string;
  readonly initial?: string;
  /** What is typed is not shown. */
  readonly secret: boolean;
  readonly canGoBack: boolean;
  readonly onChange?: ((text: string) => void) | undefined;
}

/**
 * One line as it is typed. Nothing that stands on the terminal is taken back: after characters were erased the line is
 * written once more below.
 *
 * @throws WalkStopped
 */
function plainLine(streams: PromptStreams, config: LineConfig): Promise<TextAnswer> {
  const { keyboard, output, clock, signal } = streams;
  stopIfOver(streams);
  const show = (text: string): void => void output.write(text);
  return new Promise((resolve, reject) => {
    let text = config.initial ?? '';
    let isStale = false;
    const rewrite = (): void => show(`\n${config.mark}${config.secret ? '' : text}`);
    const finish = (then: () => void): void => {
      typist.close();
      stopListening();
      signal.removeEventListener('abort', onOver);
      keyboard.stopped.removeEventListener('abort', onOver);
      show('\n');
      then();
    };
    const onOver = (): void => finish(() => reject(new WalkStopped(signal.aborted ? 'gone' : 'interrupted')));
    const add = (added: string): void => {
      text += added;
      config.onChange?.(text);
      if (config.secret) return;
      if (isStale) rewrite();
      else show(added);
      isStale = false;
    };
    const erase = (kept: string): void => {
      if (kept !== text) isStale = !config.secret;
      text = kept;
      config.onChange?.(text);
    };
    const press = (stroke: string): void => {
      if (stroke === 'enter') {
        if (isStale) rewrite();
        finish(() => resolve({ text, isBack: false }));
      } else if ((stroke === 'esc' || stroke === 'up') && config.canGoBack)
        finish(() => resolve({ text, isBack: true }));
      else if (stroke === 'ctrl+d') {
        if (text === '') keyboard.interrupt();
      } else if (stroke === 'backspace') erase([...text].slice(0, -1).join(''));
      else if (stroke === 'ctrl+u') erase('');
      else if (stroke === 'ctrl+w') erase(text.replace(/\S+\s*$|\s+$/u, ''));
      else if (stroke === 'resumed') rewrite();
      else if (stroke === 'space') add(' ');
      else if ([...stroke].length === 1) add(stroke);
    };
    const typist = new Typist(clock, (typed) => {
      if (typed.type === 'key') return press(typed.stroke);
      add(typed.text);
      if (typed.isFolded) {
        show(`\n${FOLDED}`);
        rewrite();
      }
    });
    const stopListening = keyboard.listen((one: Input) => typist.take(one));
    signal.addEventListener('abort', onOver);
    keyboard.stopped.addEventListener('abort', onOver);
    show(`${config.mark}${config.secret ? '' : text}`);
    keyboard.ready();
  });
}

/** As `textPrompt`. */
export async function plainText(streams: PromptStreams, config: TextConfig): Promise<TextAnswer> {
  const { message, initial, secret, back, validate, onChange } = config;
  const canGoBack = back !== undefined;
  const hints = [...(secret ? ['What you type is not shown.'] : []), ...(canGoBack ? [`Esc: ${back}.`] : [])];
  say(streams, [message, ...(hints.length === 0 ? [] : [hints.join(' ')])]);
  for (let before = initial; ; ) {
    const answer = await plainLine(streams, { mark: '> ', initial: before, secret, canGoBack, onChange });
    const verdict = answer.isBack || validate(answer.text);
    if (verdict === true) return answer;
    say(streams, [verdict]);
    before = secret ? '' : answer.text;
  }
}

/** As `listPrompt`: the rows with their numbers, and a line for one or some of them. */
export async function plainList(
  streams: PromptStreams,
  config: ListConfig,
): Promise<readonly number[] | typeof BACK> {
  const { message, rows, marked, validate, start, back } = config;
  const wide = String(rows.length).length;
  say(streams, [
    message,
    ...rows.map(({ name, description }, index) => {
      const note = description === undefined ? '' : ` (${description})`;
      const mark = marked?.includes(index) === true ? ', taken' : '';
      return `  ${String(index + 1).padStart(wide)}. ${name}${note}${mark}`;
    }),
  ]);
  // Enter takes what a drawn prompt stands on.
  const kept = marked ?? (start >= 0 ? [start] : undefined);
  const keeps =
    kept === undefined
      ? ''
      : kept.length === 0
        ? ', or Enter for none'
        : `, or Enter for ${kept.map((row) => rows[row]?.name ?? '').join(', ')}`;
  const what = marked === undefined ? 'a number' : 'numbers with spaces between them, 0 for none';
  const mark = `Type ${what}${keeps}${back === undefined ? '' : `; Esc: ${back}`}: `;
  for (;;) {
    const { text, isBack } = await plainLine(streams, { mark, secret: false, canGoBack: back !== undefined });
    if (isBack) return BACK;
    const read = chosen(text.trim(), config, kept);
    const verdict =
      typeof read === 'string' ? read : marked === undefined ? true : (validate?.(read) ?? true);
    if (typeof read !== 'string' && verdict === true) return read;
    say(streams, [String(verdict)]);
  }
}

/** The rows that a typed line means, or what is wrong with it. */
function chosen(
  text: string,
  { rows, marked, finds }: ListConfig,
  kept: readonly number[] | undefined,
): readonly number[] | string {
  const one = `Type a number from 1 to ${rows.length}.`;
  if (text === '') return kept ?? one;
  const named = rows.findIndex(({ name }) => name.toLowerCase() === text.toLowerCase());
  if (finds !== undefined && named >= 0) return [named];
  const words = text.split(/[\s,]+/);
  if (marked !== undefined && text === '0') return [];
  const numbers = words.map((word) => (/^\d+$/.test(word) ? Number(word) : 0));
  if (numbers.some((number) => number < 1 || number > rows.length)) return one;
  if (marked === undefined && numbers.length > 1) return one;
  return [...new Set(numbers.map((number) => number - 1))].sort((a, b) => a - b);
}

function say({ output }: PromptStreams, lines: readonly string[]): void {
  output.write(`${lines.join('\n')}\n`);
}
