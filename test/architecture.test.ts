// The layout of docs/architecture.md, "Layers", held by looking at what every source file imports and what commands load.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MCPX } from './support/gateway.ts';
import { ROOT, runNode } from './support/processes.ts';
import { testScope } from './support/scope.ts';

const LEVELS: Readonly<Record<string, number>> = {
  errors: 0,
  text: 0,
  log: 0,
  clock: 0,
  waiting: 0,
  protocol: 1,
  form: 1,
  url: 1,
  config: 2,
  broker: 2,
  checks: 3,
  upstream: 3,
  host: 3,
  terminal: 3,
  gateway: 4,
  api: 4,
  prompt: 5,
  tui: 5,
  cli: 6,
  demo: 6,
  index: 6,
};

/** Beside each other on one level: a form keeps and compares numbers as the JSON text that came. */
const BESIDE = new Set(['form protocol']);

/** Longer than 400 lines; each entry is a debt, and must go when the file is short again. */
const TOO_LONG = new Set<string>();

/** Besides what is lower: screens know questions and the terminal, not how they came in. */
const SCREENS_MAY_USE = new Set('errors text log clock waiting protocol form url broker terminal'.split(' '));

/** Packages that belong to one part. */
const HOMES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^undici(\/|$)/, ['upstream', 'api']],
  [/^(@fastify\/|fastify(\/|$))/, ['host', 'api']],
  [/^@inquirer\//, ['prompt']],
  [/^(ink|react)(\/|-|$)/, ['tui']],
  [/^libsql(\/|$)/, ['broker']],
  [/^commander(\/|$)/, ['cli']],
];

/** What a command that only prints must not load. */
const HEAVY = /^(ink|react|undici|fastify|@fastify|@inquirer)(\/|-|$)/;

interface Import {
  readonly from: string;
  readonly kind: 'static' | 'type' | 'dynamic';
}

interface Source {
  /** `cli/main.ts`. */
  readonly path: string;
  readonly text: string;
  /** The text without comments. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const SOURCES = sources();

test('there is something to look at', () => {
  expect(SOURCES.length).toBeGreaterThan(20);
  expect(
    imports("import { a } from './b.ts';\nexport type { c } from 'd';\nawait import('e');\nimport 'f';"),
  ).toEqual([
    { from: './b.ts', kind: 'static' },
    { from: 'd', kind: 'type' },
    { from: 'f', kind: 'static' },
    { from: 'e', kind: 'dynamic' },
  ]);
});

test('no module imports from a higher level, and none at its own level but for types', () => {
  const wrong = edges().filter(({ from, to, kind }) => {
    const [here, there] = [levelOf(from), levelOf(to)];
    const isBeside = there === here && here < 6 && partOf(from) !== partOf(to) && kind !== 'type';
    return there > here || (isBeside && !BESIDE.has(`${partOf(from)} ${partOf(to)}`));
  });
  expect(wrong).toEqual([]);
});

test('no files import each other in a circle, types included', () => {
  expect(circles()).toEqual([]);
});

test('screens import only questions, text and terminal', () => {
  const wrong = edges().filter(
    ({ from, to }) => levelOf(from) === 5 && partOf(from) !== partOf(to) && !SCREENS_MAY_USE.has(partOf(to)),
  );
  expect(wrong).toEqual([]);
});

test('packages stay in the parts they belong to', () => {
  const wrong = SOURCES.flatMap(({ path, imports: found }) =>
    found
      .filter(({ from }) => HOMES.some(([name, homes]) => name.test(from) && !homes.includes(partOf(path))))
      .map(({ from }) => `${path} imports ${from}`),
  );
  expect(wrong).toEqual([]);
});

test('below level 3 nothing reaches for the process, the console or the clock', () => {
  const reach = /(?<![.\w])(process\.(env|argv|std|exit|cwd|on\b)|console\.|Date\.now\(|new Date\(\))/;
  const wrong = SOURCES.filter(
    ({ path, code }) => levelOf(path) < 3 && path !== 'clock.ts' && reach.test(code),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

/** Where text becomes JSON: the scanner and what puts its slices together; text that was just parsed, or that mcpx wrote. */
const MAKE_JSON = [
  'api/body.ts',
  'api/client/follow-events.ts',
  'broker/sealed-answer.ts',
  'broker/sqlite/rows.ts',
  'cli/elicit/accept.ts',
  'form/typed.ts',
  'protocol/json-scan.ts',
  'protocol/json-text.ts',
  'protocol/message.ts',
  'protocol/params.ts',
  'upstream/engine.ts',
  'upstream/masked.ts',
  'upstream/modern/envelope.ts',
];

test('plain text becomes JSON in few places only, and by one cast', () => {
  const vouching = SOURCES.filter(({ code }) => /\btrustedJson\(/.test(code));
  expect(vouching.map(({ path }) => path).toSorted()).toEqual(MAKE_JSON);
  const casting = SOURCES.filter(({ code }) => /\bas (unknown as )?JsonText\b/.test(code));
  expect(casting.map(({ path }) => path)).toEqual(['protocol/json-scan.ts']);
});

test('no URL is judged by URL.canParse, which is wrong once it is compiled (url/read-url.ts)', () => {
  expect(SOURCES.filter(({ code }) => code.includes('canParse')).map(({ path }) => path)).toEqual([]);
});

test('the command line reaches nothing heavy without a dynamic import', () => {
  const reached = closure('cli/main.ts');
  expect(reached.files).toContain('cli/program.ts');
  expect(
    reached.files.filter((path) => /^(gateway|api|host|upstream|tui|prompt|broker)\//.test(path)),
  ).toEqual([]);
  expect(reached.packages.filter((name) => !name.startsWith('node:') && name !== 'commander')).toEqual(
    // src/text measures columns with it.
    reached.packages.filter((name) => name === 'string-width'),
  );
});

test('a gateway compiles no schema on its own thread, and does not load what would', () => {
  for (const start of ['gateway/start.ts', 'api/api.ts', 'checks/open.ts', 'cli/serve/run.ts'])
    expect(closure(start).packages.filter((name) => name === 'ajv' || name.startsWith('ajv/'))).toEqual([]);
  expect(closure('checks/worker.ts').packages).toContain('ajv');
});

test.each(SOURCES.map(({ path, text }) => [path, text] as const))(
  '%s is short, says what it is and exports by name',
  (path, text) => {
    expect(text.split('\n').length - 1 > 400).toBe(TOO_LONG.has(path));
    expect(text).toMatch(/^(\/\/|#!|\/\*)/);
    expect(text).not.toMatch(/^export default\b/m);
  },
);

describe('what commands load', () => {
  test.each([['--help'], ['elicit', 'list'], ['config'], ['completion', 'bash']])(
    'mcpx %s %s',
    async (...args) => {
      const scope = testScope();
      const dir = scope.dir();
      mkdirSync(join(dir, 'state'));
      const record = join(dir, 'loaded');
      const hooks = new URL('./support/record-loads.mjs', import.meta.url).href;
      const words = args.filter((word) => word !== undefined);
      const env = { MCPX_LOADED: record, MCPX_STATE_DIR: join(dir, 'state'), XDG_CONFIG_HOME: dir };
      const done = await runNode(scope, ['--import', hooks, MCPX, ...words], { cwd: dir, env });
      expect({ code: done.code, stderr: done.stderr.includes('bug') }).toEqual({ code: 0, stderr: false });
      const loaded = readFileSync(record, 'utf8').trim().split('\n');
      expect(loaded.some((url) => url.endsWith('/dist/cli/main.js'))).toBe(true);
      const packages = loaded.flatMap((url) => /.*\/node_modules\/(.*)$/.exec(url)?.[1] ?? []);
      expect(packages.filter((path) => HEAVY.test(path))).toEqual([]);
    },
  );
});

function sources(): Source[] {
  const root = join(ROOT, 'src');
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => {
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/');
      const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
      return { path, text, code, imports: imports(code) };
    });
}

function imports(code: string): Import[] {
  const fixed = [
    ...code.matchAll(/^(?:import|export)\s(?:(type)\s)?(?:[\w*{][^'"]*?\sfrom\s)?['"]([^'"]+)['"]/gm),
  ];
  const dynamic = [...code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)];
  return [
    ...fixed.map(([, type, from = '']): Import => ({ from, kind: type ? 'type' : 'static' })),
    ...dynamic.map(([, from = '']): Import => ({ from, kind: 'dynamic' })),
  ];
}

function edges(): { from: string; to: string; kind: Import['kind'] }[] {
  return SOURCES.flatMap(({ path, imports: found }) =>
    found
      .filter(({ from }) => from.startsWith('.'))
      .map(({ from, kind }) => ({ from: path, to: posix.join(dirname(path), from), kind })),
  );
}

/** Groups of files each of which reaches all others of its group; every path sorted. */
function circles(): string[][] {
  const next = new Map(SOURCES.map(({ path }) => [path, new Set<string>()]));
  for (const { from, to } of edges()) next.get(from)?.add(to);
  const reach = new Map([...next.keys()].map((path) => [path, reached(path, next)]));
  const groups = new Map<string, string[]>();
  for (const [path, others] of reach) {
    const group = [...others].filter((other) => reach.get(other)?.has(path)).sort();
    if (group.length > 0) groups.set(group.join(' '), group);
  }
  return [...groups.values()].sort((a, b) => (String(a) < String(b) ? -1 : 1));
}

/** What a file imports, directly or not; itself only where it is in a circle. */
function reached(start: string, next: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set(next.get(start));
  for (const path of found) for (const other of next.get(path) ?? []) found.add(other);
  return found;
}

/** Everything that is loaded together with a file. */
function closure(start: string): { files: string[]; packages: string[] } {
  const files = new Set([start]);
  const packages = new Set<string>();
  for (const path of files) {
    for (const { from, kind } of SOURCES.find((source) => source.path === path)?.imports ?? []) {
      if (kind !== 'static') continue;
      if (from.startsWith('.')) files.add(posix.join(dirname(path), from));
      else packages.add(from);
    }
  }
  return { files: [...files], packages: [...packages] };
}

function partOf(path: string): string {
  return path.split('/')[0]?.replace(/\.tsx?$/, '') ?? '';
}

function levelOf(path: string): number {
  const level = LEVELS[partOf(path)];
  if (level === undefined) throw new Error(`${path} is in no level: add its part to LEVELS and the design`);
  return level;
}
