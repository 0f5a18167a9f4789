// The design in docs/ is there: every section that a comment cites, every page and file that a page links to.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './support/processes.ts';

const DOCS = join(ROOT, 'docs');
const PAGES = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
/** `docs/relay.md, "Names"`, also where a comment breaks the line in between. */
const CITATION = /docs\/([a-z-]+\.md)(?:,[\s/*]*"([^"]+)")?/g;

const textOf = (path: string): string => readFileSync(path, 'utf8');
const headings = (page: string): string[] =>
  [...textOf(join(DOCS, page)).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title);

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|m?js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

test('every section that is cited exists', () => {
  const files = [
    ...['src', 'test', 'fixtures', 'bin'].flatMap(filesIn),
    ...['README.md', 'CONTRIBUTING.md'].map((name) => join(ROOT, name)),
  ];
  const cited = files.flatMap((path) =>
    [...textOf(path).matchAll(CITATION)].map(([, page = '', section]) => ({ path, page, section })),
  );
  const wrong = cited.filter(
    ({ path, page, section }) =>
      path !== import.meta.filename &&
      (!PAGES.includes(page) ||
        (section !== undefined && !headings(page).includes(section.replace(/\s*\n[\s/*]*/g, ' ')))),
  );
  expect(wrong).toEqual([]);
  expect(cited.length).toBeGreaterThan(40);
});

test('nothing cites a design that a clone does not have', () => {
  const found = ['src', 'test', 'fixtures', 'bin']
    .flatMap(filesIn)
    .filter((path) => path !== import.meta.filename && /\bdesign\/\d/.test(textOf(path)));
  expect(found).toEqual([]);
});

test.each(PAGES)('%s links to what is there, and has one title', (page) => {
  const text = textOf(join(DOCS, page));
  const links = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => to);
  const broken = links.filter(
    (to) => !/^https?:/.test(to) && !existsSync(join(dirname(join(DOCS, page)), to)),
  );
  expect(broken).toEqual([]);
  expect([...text.matchAll(/^# /gm)]).toHaveLength(1);
  if (page === 'README.md') expect(links.sort()).toEqual(PAGES.filter((name) => name !== page).sort());
});
