// The table of keys: no key means two things in one place, every place has a way out, and what sends is behind the gate.
import { describe, expect, test } from 'vitest';
import type { Place } from '../../src/tui/state/key-row.ts';
import { footerKeys, KEYS, keyAt } from '../../src/tui/state/keys.ts';

const PLACES: readonly Place[] = [...new Set(KEYS.flatMap((row) => row.in))];
const SENDING = ['decide', 'confirm', 'refrain', 'consent', 'finished'];

test.each(PLACES)('%s: each key once, a way back or out, Ctrl+C and Ctrl+Z', (place) => {
  const here = KEYS.filter((row) => row.in.includes(place));
  const keys = here.flatMap((row) => row.keys);
  expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
  expect(keyAt(place, 'ctrl+c')?.does).toBe('interrupt');
  expect(keyAt(place, 'ctrl+z')?.does).toBe('suspend');
  const out = ['back', 'edit', 'quit', 'refrain', 'filter-leave'];
  expect(here.some((row) => out.includes(row.does))).toBe(true);
});

test('accept is on the review and on the consent only, and Enter decides nowhere but on the review and on the second question', () => {
  expect(KEYS.filter((row) => row.does === 'decide').flatMap((row) => row.in)).toEqual([
    'review',
    'review-back',
    'ask',
    'ask-yes',
  ]);
  const consenting = KEYS.filter((row) => row.does === 'consent' || (row.does === 'browse' && row.sends));
  expect(consenting.flatMap((row) => row.in)).toEqual(['consent', 'consent']);
  expect(consenting.flatMap((row) => row.keys)).not.toContain('enter');
});

test('what sends does nothing at first', () => {
  for (const row of KEYS) if (SENDING.includes(row.does)) expect(row.sends).toBe(true);
});

const TYPED: readonly Place[] = ['text', 'filter-select'];

test.each(TYPED)('letters are text in %s', (place) => {
  for (const row of KEYS)
    if (row.in.includes(place))
      expect(row.keys.filter((key) => key.length === 1 || key === 'space')).toEqual([]);
});

describe('the footer', () => {
  test.each(PLACES)('of %s names keys of the table', (place) => {
    expect(footerKeys(place).length).toBeGreaterThan(0);
  });

  test.each([
    'read',
    'text',
    'boolean',
    'select',
    'multiselect',
    'long-select',
    'review',
    'review-back',
    'consent',
    'unopenable',
  ] as const)('of %s names decline, cancel and the way back', (place) => {
    const words = footerKeys(place).map(([keys]) => keys);
    expect(words).toEqual(expect.arrayContaining(['Ctrl+D', 'Ctrl+X', 'Esc']));
  });
});
