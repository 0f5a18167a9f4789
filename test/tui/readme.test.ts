// The pictures of the README are what the inbox draws, and its table of keys is the table.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Place } from '../../src/tui/state/key-row.ts';
import { footerKeys } from '../../src/tui/state/keys.ts';
import { ROOT } from '../support/processes.ts';
import type { Asked } from './fake-source.ts';
import { type FakeTui, fakeTui } from './fake-tui.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

const ISSUE: Asked = {
  message: 'I can file this bug. Where does it belong?',
  schema: {
    properties: {
      repo: { type: 'string', title: 'Repository', description: 'As owner/name.', minLength: 3 },
      kind: { type: 'string', title: 'Kind', enum: ['bug', 'feature', 'question'] },
      notify: { type: 'boolean', title: 'Notify the team' },
    },
    required: ['repo', 'kind'],
  },
};

async function shop(): Promise<FakeTui> {
  const tui = await fakeTui({
    rows: 20,
    asked: [
      ISSUE,
      { server: 'jira', mode: 'url', url: 'https://accounts.example.com/', message: 'Sign in to Jira' },
    ],
  });
  tui.clock.advance(34_000);
  tui.source.ask({
    server: 'deploy',
    message: 'Release 2.4 to production?',
    expiresAt: new Date(tui.clock.now() + 25_000).toISOString(),
  });
  await tui.see('deploy');
  await tui.press('up', 'down');
  return tui;
}

/** A picture without the empty lines that fill the screen. */
const picture = (tui: FakeTui): string => tui.vt.text.replace(/\n{3,}/g, '\n\n');

test('the inbox', async () => {
  expect(readme).toContain(picture(await shop()));
});

test('a form', async () => {
  const tui = await shop();
  await tui.press('enter');
  await tui.type('acme/shop');
  await tui.press('enter', 'down');
  expect(readme).toContain(picture(tui));
});

const PLACES: readonly (readonly [Place, string])[] = [
  ['inbox', 'the inbox'],
  ['text', 'a text or number'],
  ['boolean', 'yes or no'],
  ['select', 'one of a list'],
  ['multiselect', 'some of a list'],
  ['long-select', 'one of ten and more'],
  ['long-multiselect', 'some of ten and more'],
  ['filter-select', 'a list with a filter'],
  ['review', 'the review'],
  ['review-back', 'the review, nothing entered'],
  ['ask', 'decline or cancel?'],
  ['consent', 'a URL'],
  ['waiting', 'after the consent'],
];

test.each(PLACES)('the keys of %s', (place, words) => {
  const keys = footerKeys(place).map(([key, does]) => `${key} ${does}`);
  expect(readme).toContain(`| ${words} | ${keys.join(', ')} |`);
});
