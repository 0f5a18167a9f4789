// A line of text on the terminal, drawn by @inquirer and edited by readline.
import { styleText } from 'node:util';
import { createPrompt, makeTheme, useEffect, useKeypress, usePrefix, useState } from '@inquirer/core';
import type { KeyStream, PromptKey } from './key-stream.ts';
import { FOLDED } from './typist.ts';

export interface TextConfig {
  readonly message: string;
  /** What stands on the line at first. */
  readonly initial: string;
  /** Shown as stars. */
  readonly secret: boolean;
  readonly validate: (text: string) => true | string;
  /** Told what stands on the line after each change. */
  readonly onChange?: (text: string) => void;
  /** What Esc and ↑ go back to; absent where they do nothing. */
  readonly back?: string;
}

export interface TextAnswer {
  readonly text: string;
  /** The person wants the prompt before. */
  readonly isBack: boolean;
}

export const textPrompt = createPrompt<TextAnswer, TextConfig>((config, done) => {
  const theme = makeTheme({});
  const [status, setStatus] = useState<'idle' | 'done'>('idle');
  const prefix = usePrefix({ status, theme });
  const [text, setText] = useState(config.initial);
  const [error, setError] = useState<string | undefined>(undefined);
  const [note, setNote] = useState<string | undefined>(undefined);
  const [resumed, setResumed] = useState(0);

  useEffect((rl) => {
    (rl as unknown as { input: KeyStream }).input.line = () => rl.line;
    if (config.initial !== '') rl.write(config.initial);
  }, []);

  useKeypress((event, rl) => {
    const { stroke, isFolded } = event as PromptKey;
    if (status === 'done') return;
    if (stroke === 'enter') {
      const verdict = config.validate(text);
      if (verdict === true) {
        setStatus('done');
        done({ text, isBack: false });
      } else {
        // readline has taken its line away with Enter.
        rl.write(text);
        setError(verdict);
      }
    } else if ((stroke === 'esc' || stroke === 'up') && config.back !== undefined) {
      setStatus('done');
      done({ text, isBack: true });
    } else if (stroke === 'resumed') {
      setResumed(resumed + 1);
    } else {
      if (rl.line !== text) config.onChange?.(rl.line);
      setText(rl.line);
      setError(undefined);
      setNote(isFolded === true ? FOLDED : undefined);
    }
  });

  const message = theme.style.message(config.message, status);
  const shown = config.secret ? '*'.repeat([...text].length) : text;
  const line = `${prefix} ${message} ${status === 'done' ? theme.style.answer(shown) : shown}`;
  const below = [
    ...(error === undefined ? [] : [theme.style.error(error)]),
    ...(note === undefined ? [] : [note]),
    ...(config.back === undefined || status === 'done' ? [] : [styleText('dim', `Esc or ↑ ${config.back}`)]),
  ];
  return [line, below.join('\n')];
});
