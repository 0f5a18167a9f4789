// Every screen as a whole picture: at the usual size, the smallest, a large one, and without colour or Unicode.
import { expect, test } from 'vitest';
import type { Asked } from './fake-source.ts';
import { type FakeTui, fakeTui, type TuiSetup } from './fake-tui.ts';

const FORM: Asked = {
  message: 'A new issue is about to be created.\nWhere does it belong?',
  schema: {
    properties: {
      repo: {
        type: 'string',
        title: 'Repository',
        description: 'As owner/name.',
        minLength: 3,
        maxLength: 50,
      },
      priority: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
      private: { type: 'boolean', title: 'Private' },
      kind: {
        type: 'string',
        title: 'Kind',
        oneOf: [
          { const: 'b', title: 'Bug' },
          { const: 'f', title: 'Feature' },
        ],
      },
      labels: {
        type: 'array',
        title: 'Labels',
        minItems: 1,
        maxItems: 2,
        items: { type: 'string', enum: ['ui', 'core', 'docs'] },
      },
      extra: { type: 'object', title: 'Extra' },
    },
    required: ['repo', 'kind', 'labels'],
  },
};
const URL: Asked = {
  server: 'jira',
  mode: 'url',
  message: 'Sign in to Jira to go on.',
  url: 'https://accounts.example.com/oauth/authorize?client_id=mcpx&state=0123456789',
};

const SIZES: readonly (readonly [string, TuiSetup])[] = [
  ['80x24', { columns: 80, rows: 24 }],
  ['60x12', { columns: 60, rows: 12 }],
  ['200x60', { columns: 200, rows: 60 }],
  ['80x24-ascii', { columns: 80, rows: 24, unicode: false }],
];

const CITIES = 'Aachen Berlin Bonn Bremen Dresden Essen Hamburg Kiel Mainz Ulm Worms'.split(' ');
const LONG: Asked = {
  message: 'Where to?',
  schema: { properties: { city: { type: 'string', title: 'City', enum: CITIES } }, required: ['city'] },
};
const SURE: Asked = {
  message: 'Keep the branch?',
  schema: { properties: { keep: { type: 'boolean', title: 'Keep it', default: true } }, required: ['keep'] },
};

/** Other questions than the usual two. */
const OTHERS: Readonly<Record<string, readonly Asked[]>> = { filter: [LONG], untouched: [SURE] };

/** Opens the first question and goes on to its first field, also where the message takes the whole screen. */
async function openForm(tui: FakeTui): Promise<void> {
  await tui.press('enter');
  if (tui.vt.text.includes('Enter go on')) await tui.press('enter');
}

/** The ways to the screens. */
const SCREENS: Readonly<Record<string, (tui: FakeTui) => Promise<void>>> = {
  inbox: async () => {},
  form: async (tui) => {
    await tui.press('enter');
  },
  'form-filled': async (tui) => {
    await openForm(tui);
    await tui.press(
      'm',
      'e',
      'enter',
      '9',
      'tab',
      'y',
      'enter',
      'enter',
      'space',
      'down',
      'space',
      'down',
      'space',
    );
  },
  review: async (tui) => {
    await openForm(tui);
    await tui.type('me/thing');
    await tui.press('enter', 'enter', 'n', 'enter', '2', '1', 'enter');
    await tui.type('{"a":[1,2]}');
    await tui.press('ctrl+r');
  },
  over: async (tui) => {
    await SCREENS['review']?.(tui);
    await tui.settle();
    await tui.press('enter');
    await tui.see('Sent to github');
  },
  filter: async (tui) => {
    await openForm(tui);
    await tui.type('b');
    await tui.press('down');
  },
  untouched: async (tui) => {
    await openForm(tui);
    await tui.press('enter');
  },
  decline: async (tui) => {
    await tui.press('enter', 'ctrl+d');
  },
  cancel: async (tui) => {
    await tui.press('enter', 'ctrl+x', 'tab');
  },
  consent: async (tui) => {
    await tui.press('down', 'enter');
  },
  waiting: async (tui) => {
    await tui.press('down', 'enter');
    await tui.settle();
    await tui.press('o');
    await tui.see('has been told');
  },
  expired: async (tui) => {
    await openForm(tui);
    await tui.type('me/thing');
    tui.source.end('elc-0000000000000001', 'expired');
    await tui.see('expired');
  },
  answered: async (tui) => {
    tui.source.end('elc-0000000000000001', 'accepted');
    await tui.see('1 open');
    await tui.press('tab');
  },
  help: async (tui) => {
    await tui.press('?');
  },
};

test.each(
  Object.keys(SCREENS).flatMap((screen) => SIZES.map(([name, size]) => [screen, name, size] as const)),
)('%s at %s', async (screen, name, size) => {
  const tui = await fakeTui({ ...size, asked: OTHERS[screen] ?? [FORM, URL] });
  await SCREENS[screen]?.(tui);
  await tui.drawn();
  await expect(`${tui.vt.text}\n`).toMatchFileSnapshot(`frames/${screen}-${name}.txt`);
  // Times are said as people say them.
  expect(tui.vt.text).not.toMatch(/\d{4}-\d\d-\d\dT/);
  // The last line stays free, and nothing was pushed out at the top.
  expect({ scrolled: tui.vt.scrolled, last: tui.vt.lines[tui.vt.rows - 1] }).toEqual({
    scrolled: 0,
    last: '',
  });
});
