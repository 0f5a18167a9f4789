// The one place that knows colours: every tone as properties of Ink's Text.
import type { TextProps } from 'ink';
import type { Tone } from './view/span.ts';

export type Look = Pick<TextProps, 'color' | 'bold' | 'dimColor' | 'underline'>;
export type Theme = { readonly [tone in Tone]: Look };

export const COLORED: Theme = {
  plain: {},
  dim: { dimColor: true },
  strong: { bold: true },
  title: { bold: true, color: 'cyan' },
  focus: { bold: true, color: 'cyan' },
  ok: { color: 'green' },
  warn: { color: 'yellow' },
  error: { color: 'red' },
  key: { bold: true },
  host: { bold: true, underline: true },
  field: {},
};

/** Nothing but text: every state also has a symbol and a word. */
export const PLAIN: Theme = {
  plain: {},
  dim: {},
  strong: {},
  title: {},
  focus: {},
  ok: {},
  warn: {},
  error: {},
  key: {},
  host: {},
  field: {},
};
