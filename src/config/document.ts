// A configuration file as data: JSON with comments, variables filled in, and the line of every key.
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
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
  ['InvalidSymbol', 'this word means nothing in JSON; put strings in double quotes'],
  ['InvalidNumberFormat', 'this number is not written as JSON numbers are'],
  ['PropertyNameExpected', 'a key in double quotes is missing'],
  ['ValueExpected', 'a value is missing'],
  ['ColonExpected', 'a colon is missing'],
  ['CommaExpected', 'a comma is missing'],
  ['CloseBraceExpected', 'a closing } is missing'],
  ['CloseBracketExpected', 'a closing ] is missing'],
  ['EndOfFileExpected', 'something follows the end of the object'],
  ['UnexpectedEndOfComment', 'a comment is not closed'],
  ['UnexpectedEndOfString', 'a string is not closed; close its double quotes'],
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
    const position = { line: lineOf(lineStarts(text), offset), offset };
    return { value: undefined, written: undefined, problems: [problem], positionOf: () => position };
  }
  const problems: Problem[] = [];
  const disabled = disabledServers(root);
  const value = toValue(root, [], (node, path) => {
    if (path[0] === 'mcpServers' && disabled.has(path[1])) return node.value;
    const filled = expand(node.value, env);
    if (filled.ok) return filled.text;
    problems.push({ path, clause: filled.problem });
    return node.value;
  });
  const offsets = new Map<string, number>();
  visit(root, [], offsets, problems);
  const written = toValue(root, [], (node) => node.value);
  const lines = lineStarts(text);
  return {
    value,
    written,
    problems,
    positionOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const offset = offsets.get(JSON.stringify(path.slice(0, length)));
        if (offset !== undefined) return { line: lineOf(lines, offset), offset };
      }
      return { line: lineOf(lines, root.offset), offset: root.offset };
    },
  };
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

/**
 * Notes where everything stands (of two equal keys the last, which counts), and keys that cannot be meant: one that
 * appears twice hides the first, and `__proto__` is lost on the way through most programs.
 */
function visit(node: Node, path: Path, offsets: Map<string, number>, problems: Problem[]): void {
  offsets.set(JSON.stringify(path), node.offset);
  if (node.type === 'array') {
    for (const [index, child] of (node.children ?? []).entries()) {
      visit(child, [...path, index], offsets, problems);
    }
    return;
  }
  const seen = new Set<string>();
  for (const [key, value] of properties(node)) {
    const here = [...path, key];
    if (key === '__proto__') problems.push({ path: here, clause: 'cannot be used as a key; rename it' });
    else if (seen.has(key)) problems.push({ path: here, clause: 'appears twice; remove or rename one' });
    seen.add(key);
    visit(value, here, offsets, problems);
  }
}

/** Their variables need not be set. */
function disabledServers(root: Node): ReadonlySet<unknown> {
  const servers = properties(root).findLast(([key]) => key === 'mcpServers')?.[1];
  const off = (servers ? properties(servers) : []).filter(([, server]) =>
    properties(server).some(([key, { value }]) => key === 'disabled' && value === true),
  );
  return new Set(off.map(([name]) => name));
}

function properties(node: Node): [string, Node][] {
  if (node.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children }): [string, Node][] => {
    const [key, value] = children ?? [];
    return key === undefined || value === undefined ? [] : [[String(key.value), value]];
  });
}

/** The offsets at which lines begin. */
function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
}

/** From 1. */
function lineOf(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

export type Expanded =
  | { readonly ok: true; readonly text: string }
  /** What follows the path of the key in the sentence about it. */
  | { readonly ok: false; readonly problem: string };

const REFERENCE = /\$\{([^}]*)(\}?)/g;
const INSIDE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/** Fills a text in once; what is filled in is not looked at again. The default also stands in for an empty variable. */
export function expand(text: string, env: Env): Expanded {
  let problem: string | undefined;
  const filled = text.replace(REFERENCE, (whole, inside: string, end: string) => {
    const parts = end === '' ? null : INSIDE.exec(inside);
    if (parts === null) {
      problem ??= `holds ${JSON.stringify(whole)}, which mcpx cannot fill in; write \${NAME} or \${NAME:-default}`;
      return whole;
    }
    const [, name = '', fallback] = parts;
    const value = env[name];
    if (fallback !== undefined) return value || fallback;
    if (value !== undefined) return value;
    problem ??= `needs the environment variable ${name}, which is not set; set it, or write \${${name}:-default}`;
    return whole;
  });
  return problem === undefined ? { ok: true, text: filled } : { ok: false, problem };
}
