// The names of keys: which of the things that a terminal sends are one, and which is it.
import type { Sequence, Token } from './sequences.ts';

const CONTROLS: Readonly<Record<number, string | undefined>> = {
  8: 'backspace',
  9: 'tab',
  10: 'enter',
  13: 'enter',
  28: 'ctrl+\\',
  29: 'ctrl+]',
  30: 'ctrl+^',
  31: 'ctrl+_',
  127: 'backspace',
};

/** CSI and SS3 by their final character. */
const FINALS: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
};

/** What rxvt sends with Ctrl held. */
const RXVT_CTRL: Readonly<Record<string, string>> = { a: 'up', b: 'down', c: 'right', d: 'left' };

/** CSI number ~. */
const NUMBERED: Readonly<Record<string, string>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
};

/** Bits of a modifier parameter less one; the locks above them are no part of a key. */
const [SHIFT, ALT, CTRL, LOCKS] = [1, 2, 4, 64 | 128];
/** In the event types of the kitty protocol. */
const RELEASE = '3';

/**
 * The name of the key that a token is: one character, `space`, `enter`, `esc`, `up`, `ctrl+c`, `alt+b`, `ctrl+left`;
 * undefined for everything that is no key, however much text there is in it (C44).
 */
export function strokeOf(token: Token): string | undefined {
  switch (token.type) {
    case 'char':
      return token.text === ' ' ? 'space' : token.text;
    case 'control':
      return CONTROLS[token.code] ?? (token.code >= 1 && token.code <= 26 ? ctrl(token.code) : undefined);
    case 'esc':
      return 'esc';
    case 'alt':
      return altStroke(token.code);
    default:
      // Its ESC has counted already; a second key out of the same bytes would be one too many.
      return token.late ? undefined : sequenceStroke(token);
  }
}

function ctrl(code: number): string {
  return `ctrl+${String.fromCharCode(code + 0x60)}`;
}

function altStroke(code: number): string | undefined {
  if (code === 0x7f || code === 0x08) return 'alt+backspace';
  return code > 0x20 ? `alt+${String.fromCodePoint(code)}` : undefined;
}

function sequenceStroke({ type, body, final, meta }: Sequence): string | undefined {
  const stroke = type === 'csi' ? csiStroke(body, final) : ss3Stroke(body, final);
  return stroke !== undefined && meta ? `alt+${stroke}` : stroke;
}

function ss3Stroke(body: string, final: string): string | undefined {
  const rxvt = body === '' ? RXVT_CTRL[final] : undefined;
  if (rxvt !== undefined) return `ctrl+${rxvt}`;
  const name = FINALS[final];
  // Old terminals put the modifier alone in front.
  return name === undefined ? undefined : modified(name, /^\d$/.test(body) ? `1;${body}` : body, '1');
}

function csiStroke(body: string, final: string): string | undefined {
  const name = FINALS[final];
  if (name !== undefined) return modified(name, body, '1');
  if (final === 'Z') return body === '' || body === '1;2' ? 'shift+tab' : undefined;
  if (final === 'u') return reportedKey(/^(\d+)[\d:]*(?:;(\d*)(?::(\d+))?)?$/.exec(body) ?? []);
  if (final !== '~') return undefined;
  const other = /^27;(\d+);(\d+)$/.exec(body);
  if (other !== null) return reportedKey([body, other[2] ?? '', other[1] ?? '']);
  const number = /^\d+/.exec(body)?.[0] ?? '';
  const numbered = Object.hasOwn(NUMBERED, number) ? NUMBERED[number] : undefined;
  return numbered === undefined ? undefined : modified(numbered, body, number);
}

/** A key with its modifiers in a body such as `1;5` or, with the event type, `1;5:2`. Shift alone changes none of them. */
function modified(name: string, body: string, first: string): string | undefined {
  const parts = /^(\d*)(?:;(\d+)(?::(\d+))?)?$/.exec(body);
  if (parts === null || (parts[1] !== '' && parts[1] !== first) || parts[3] === RELEASE) return undefined;
  const held = heldIn(parts[2]);
  const bare = held & ~SHIFT;
  if (bare === 0) return name;
  if (bare === CTRL) return `ctrl+${name}`;
  if (bare === ALT) return `alt+${name}`;
  return undefined;
}

/**
 * A key in the form of the kitty protocol or of xterm's modifyOtherKeys, which mcpx does not ask for, so that it comes
 * only where another program left them on. Then Esc, Ctrl and Alt with a letter work, so that one can leave; what would
 * be text or Enter does not count, nor does a repeat or a release.
 */
function reportedKey([, code = '', modifiers, event]: readonly (string | undefined)[]): string | undefined {
  if (event !== undefined && event !== '1') return undefined;
  const held = heldIn(modifiers === '' ? undefined : modifiers);
  const number = Number(code);
  if (number === 27 && held === 0) return 'esc';
  if (number === 9 && held === SHIFT) return 'shift+tab';
  if (number === 127 && held === ALT) return 'alt+backspace';
  const letter = number >= 0x61 && number <= 0x7a ? String.fromCharCode(number) : '';
  if (letter === '') return undefined;
  if (held === ALT) return `alt+${letter}`;
  // These four are Backspace, Tab and Enter by another name.
  return held === CTRL && !'hijm'.includes(letter) ? `ctrl+${letter}` : undefined;
}

function heldIn(modifiers: string | undefined): number {
  return modifiers === undefined ? 0 : (Math.max(1, Number(modifiers)) - 1) & ~LOCKS;
}
