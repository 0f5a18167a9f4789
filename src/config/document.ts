// A configuration file as data: JSON with comments, variables filled in, and the line of every key.
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { expand } from './expand.ts';
import type { Env } from './paths.ts';
import type { Path, Problem } from './problem.ts';

export interface Document {
  /** Objects have no prototype, so that no key is special. */
  readonly value: unknown;
  /** The same before variables were filled in: what may be shown. */
  readonly written: unknown;
  readonly problems: readonly Problem[];
  /** Where a key stands, or the nearest thing around it; lines from 1. */
  positionOf(path: Path): { readonly line: number; readonly offset: number };
}

/** By the names that jsonc-parser gives its error codes. */
const SYNTAX: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'this word means nothing in JSON; put texts in double quotes'],
  ['InvalidNumberFormat', 'this number is not written as JSON numbers are'],
  ['PropertyNameExpected', 'a key in double quotes is missing'],
  ['ValueExpected', 'a value is missing'],
  ['ColonExpected', 'a colon is missing'],
  ['CommaExpected', 'a comma is missing'],
  ['CloseBraceExpected', 'a closing } is missing'],
  ['CloseBracketExpected', 'a closing ] is missing'],
  ['EndOfFileExpected', 'something follows the end of the object'],
  ['UnexpectedEndOfComment', 'a comment does not end'],
  ['UnexpectedEndOfString', 'a text does not end; close its double quotes'],
]);

/** Reads the text. Whatever is wrong with it is in `problems`; a syntax error leaves `value` undefined. */
export function readDocument(source: string, env: Env): Document {
  const text = source.replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const offset = first?.offset ?? 0;
    const known = first && SYNTAX.get(printParseErrorCode(first.error));
    const what = text.trim() === '' ? 'it is empty' : (known ?? 'a character is not allowed');
    const problem = { path: [], clause: `is not valid JSON: ${what}` };
    return {
      value: undefined,
      written: undefined,
      problems: [problem],
      positionOf: () => position(text, offset),
    };
  }
  const problems: Problem[] = [];
  const value = toValue(root, [], (node, path) => {
    if (isInDisabledServer(root, path)) return node.value;
    const filled = expand(node.value, env);
    if (filled.ok) return filled.text;
    problems.push({ path, clause: filled.problem });
    return node.value;
  });
  checkKeys(root, [], problems);
  const written = toValue(root, [], (node) => node.value);
  return { value, written, problems, positionOf: (path) => position(text, nodeAt(root, path).offset) };
}

function toValue(node: Node, path: Path, textOf: (node: Node, path: Path) => unknown): unknown {
  if (node.type === 'object') {
    const made: Record<string, unknown> = Object.create(null);
    for (const [key, value] of properties(node)) made[key] = toValue(value, [...path, key], textOf);
    return made;
  }
  if (node.type === 'array') {
    return (node.children ?? []).map((child, index) => toValue(child, [...path, index], textOf));
  }
  return node.type === 'string' ? textOf(node, path) : node.value;
}

/** A key that stands twice hides the first, and `__proto__` is lost on the way through most programs. */
function checkKeys(node: Node, path: Path, problems: Problem[]): void {
  if (node.type === 'array') {
    for (const [index, child] of (node.children ?? []).entries())
      checkKeys(child, [...path, index], problems);
    return;
  }
  const seen = new Set<string>();
  for (const [key, value] of properties(node)) {
    const here = [...path, key];
    if (key === '__proto__') problems.push({ path: here, clause: 'cannot be used as a key; rename it' });
    else if (seen.has(key)) problems.push({ path: here, clause: 'stands there twice; remove or rename one' });
    seen.add(key);
    checkKeys(value, here, problems);
  }
}

function isInDisabledServer(root: Node, [section, name]: Path): boolean {
  if (section !== 'mcpServers' || name === undefined) return false;
  const server = nodeAt(root, [section, name]);
  return properties(server).some(([key, value]) => key === 'disabled' && value.value === true);
}

function properties(node: Node): [string, Node][] {
  if (node.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children }): [string, Node][] => {
    const [key, value] = children ?? [];
    return key === undefined || value === undefined ? [] : [[String(key.value), value]];
  });
}

/** The node of a path, or the last one on the way to it. The last of two equal keys counts, as in `value`. */
function nodeAt(root: Node, path: Path): Node {
  let at = root;
  for (const step of path) {
    const next =
      typeof step === 'number' ? at.children?.[step] : properties(at).findLast(([key]) => key === step)?.[1];
    if (next === undefined) return at;
    at = next;
  }
  return at;
}

function position(text: string, offset: number): { line: number; offset: number } {
  return { line: text.slice(0, offset).split('\n').length, offset };
}
