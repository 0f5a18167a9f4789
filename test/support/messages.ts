// Every text of src/ that a person or a program may come to read, found in its syntax trees.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst, transformWithEsbuild } from 'vite';
import { ROOT } from './processes.ts';

const SRC = join(ROOT, 'src');
/** What SQLite reads. */
const SQL =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|PRAGMA|WHERE|AND|ON CONFLICT|BEGIN|ORDER BY|\{\} ON)\b|state =|owner IS/;
/** What shells read. */
const SCRIPTS = new Set(['bash', 'zsh', 'fish'].map((shell) => `cli/completion/${shell}.ts`));
/** At least two words, or one beside what is filled in. */
const WORDS = /\p{L}{2,}['’]?\w*["”)]?[,;:.]? +\S*\p{L}{2,}|\p{L}{2,}[:,]? \{\}|\{\}[:,]? \p{L}{2,}/u;

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** The texts of each file, sorted, each once; `{}` stands for what is filled in. */
export async function messages(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const path of sources()) {
    if (SCRIPTS.has(path)) continue;
    const { code } = await transformWithEsbuild(sourceOf(path), path, { jsx: 'automatic', sourcemap: false });
    const texts = textsIn(parseAst(code) as unknown as Node).filter(
      (text) => WORDS.test(text) && !SQL.test(text),
    );
    if (texts.length > 0) found.set(path, [...new Set(texts.map(shown))].toSorted());
  }
  return found;
}

/** The comments of each file of src/. */
export function comments(): ReadonlyMap<string, string> {
  const found = (path: string): string =>
    [...sourceOf(path).matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm)]
      .map(([comment]) => comment)
      .join('\n');
  return new Map(sources().map((path) => [path, found(path)]));
}

function sources(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path))
    .toSorted();
}

function sourceOf(path: string): string {
  return readFileSync(join(SRC, path), 'utf8');
}

/** On one line, and nothing in it that an editor or git would stumble over. */
function shown(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').trim();
}

function textsIn(tree: Node): string[] {
  const texts: string[] = [];
  const visit = (node: Node): void => {
    if (node.type.startsWith('Import') && node.type !== 'ImportExpression') return;
    const text = textOf(node);
    if (text !== undefined) texts.push(text);
    // What is filled in may hold texts of its own; the parts of a sum are in it already.
    for (const child of text !== undefined && node.type === 'BinaryExpression'
      ? filledIn(node)
      : childrenOf(node))
      visit(child);
  };
  visit(tree);
  return texts;
}

/** The text of a literal, a template, or a sum of them. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type === 'TemplateLiteral')
    return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}');
  if (node.type !== 'BinaryExpression' || node['operator'] !== '+') return undefined;
  const [left, right] = [textOf(node['left'] as Node), textOf(node['right'] as Node)];
  return left === undefined || right === undefined ? undefined : left + right;
}

function filledIn(node: Node): Node[] {
  if (node.type === 'BinaryExpression')
    return [node['left'], node['right']].flatMap((side) => filledIn(side as Node));
  return node.type === 'TemplateLiteral' ? (node['expressions'] as Node[]) : [];
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value);
}
