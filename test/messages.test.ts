// Every message in one table, so that a change of words shows in the diff; and words that none of them may hold.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { comments, messages } from './support/messages.ts';
import { ROOT } from './support/processes.ts';

test('the messages are those of the table; after a change read them aloud and run this test with -u', async () => {
  const table = [...(await messages())].map(([path, texts]) =>
    [path, ...texts.map((text) => `  ${text}`)].join('\n'),
  );
  await expect(`${table.join('\n\n')}\n`).toMatchFileSnapshot('messages.txt');
});

const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'bin/prepare.mjs'];

/** Words that read as translated, as a riddle, or as another field's: plain ones say the same. */
const BANNED: readonly RegExp[] = [
  /\bmend(s|ed|ing)?\b/i,
  /\bnobody's\b/i,
  /\btold so\b/i,
  /\bthose that are over\b/i,
  /\bas good as\b/i,
  /\bof now\b/i,
  /\b(is|are|too|so) dear\b/i,
  /\bcan not\b/i,
];
/** What else a message must not say. */
const BANNED_TO_READERS: readonly RegExp[] = [
  ...BANNED,
  /\bdeaf\b/i,
  /\bnot asked for\b/i,
  /\bwhoever\b/i,
  /\bstands? twice\b/i,
  /\bis none of\b/i,
  /\bis no (string|boolean|array|object|list|JSON|HTTP|URL|integer)\b/i,
];

test.each([
  ['messages', async () => messages()],
  ['comments', async () => new Map([...comments()].map(([path, text]) => [path, [text]]))],
  [
    'documents',
    async () => new Map(DOCUMENTS.map((path) => [path, [readFileSync(join(ROOT, path), 'utf8')]])),
  ],
] as const)('%s hold none of the words that are banned', async (what, read) => {
  const banned = what === 'messages' ? BANNED_TO_READERS : BANNED;
  const found = [...(await read())].flatMap(([path, texts]) =>
    texts.flatMap((text) =>
      banned.flatMap((word) => word.exec(text)?.[0] ?? []).map((word) => `${path}: ${word}`),
    ),
  );
  expect(found).toEqual([]);
});
