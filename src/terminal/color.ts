// Whether output is coloured, and the few styles there are.
import { type Env, isSet } from './facts.ts';

export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;
export type ColorChoice = (typeof COLOR_CHOICES)[number];

/**
 * Flag over environment over terminal. NO_COLOR counts when it is not empty (no-color.org) and wins over
 * FORCE_COLOR, since whoever set it cannot read colours.
 */
export function wantsColor(input: {
  readonly flag: ColorChoice | undefined;
  readonly env: Env;
  readonly isTTY: boolean;
}): boolean {
  const { flag, env, isTTY } = input;
  if (flag === 'always') return true;
  if (flag === 'never') return false;
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '') return isSet(env['FORCE_COLOR']);
  return isTTY && env['TERM'] !== 'dumb';
}

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type StyleName = keyof typeof CODES;
export type Style = { readonly [name in StyleName]: (text: string) => string };

/** `style.bold('x')`: with colour off, the text itself. The text must be inert already. */
export function makeStyle(on: boolean): Style {
  const paint = (name: StyleName) => (text: string) =>
    on && text !== '' ? `\u001b[${CODES[name][0]}m${text}\u001b[${CODES[name][1]}m` : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    underline: paint('underline'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
  };
}
