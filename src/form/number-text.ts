// Numbers as text, so that none is rounded on its way from a person to a server (docs/terminal.md, "Forms").

/** A double has 309 digits at most before the point and 17 that count; anything longer is written to cost time. */
const LONGEST = 400;
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Whether a text is a number as JSON writes it: no leading zeros, no `+`, no bare point. */
export function isNumberText(text: string): boolean {
  return NUMBER.test(text);
}

/**
 * Whether a JSON number means the same to a reader that keeps numbers as doubles: it is finite, a whole one has no
 * digit that a double loses, and one that is not zero does not become zero.
 */
export function isExact(text: string): boolean {
  if (text.length > LONGEST) return false;
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  const whole = wholeText(text);
  if (whole === undefined) return value !== 0 && !Number.isInteger(value);
  return whole === BigInt(value).toString();
}

/**
 * The digits of a JSON number that is whole (`1e3` and `1.0` are), without a point or exponent; `undefined` for
 * others.
 */
export function wholeText(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return '0';
  const significant = digits.replace(/0+$/, '');
  const zeros = digits.length - significant.length + Number(exponent) - fraction.length;
  // A double ends near 1e308: beyond that there is nothing to carry, and no reason to write out the zeros.
  if (zeros < 0 || zeros > LONGEST) return undefined;
  return `${sign}${significant}${'0'.repeat(zeros)}`;
}

/** Whether a number is a multiple of another, as far as decimals can tell: 0.3 is one of 0.1. */
export function isMultipleOf(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}
