// The suite's command: the Node it needs, a run of it, and what the run left behind.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGE = dirname(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
);
const COMMAND = join(PACKAGE, 'dist', 'index.js');
/** Milliseconds one run of the suite may take. */
const LIMIT = 120_000;

/** The environment without what would steer mcpx. */
export const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(MCPX_|NODE_OPTIONS$)/.test(name)),
);

/** Runs a command to its end; `code` is null where it had to be killed or could not be started. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env,
      timeout: LIMIT,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options,
    });
    let output = '';
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk;
      output += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', (error) => resolve({ code: null, stdout, output: `${output}${error.message}\n` }));
    child.on('close', (code) => resolve({ code, stdout, output }));
  });
}

/** A Node that can run the suite (22 or later): this one, or one from the `node` package. Throws where there is none. */
export async function nodeForSuite() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const windows = process.platform === 'win32';
  const found = await run('npx', ['-y', 'node@24', '-p', 'process.execPath'], { shell: windows });
  if (found.code === 0 && found.stdout.trim() !== '') return found.stdout.trim();
  throw new Error(
    `the conformance suite needs Node 22 or later, this is ${process.version}, and "npx -y node@24" gave none:\n${found.output}`,
  );
}

/** The scenarios that the suite lists for a role and a revision. */
export async function listed(node, role, revision) {
  const { stdout } = await run(node, [COMMAND, 'list', `--${role}`, '--spec-version', revision]);
  return [...stdout.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
}

/** The scenarios of one role that a revision requires; the others of a `--requirements` run are reported only. */
export function required(role, revision) {
  const text = readFileSync(join(PACKAGE, 'requirements', `${revision}.yaml`), 'utf8');
  const [, list = ''] = new RegExp(`^${role}:\\n((?: .*\\n)*)`, 'm').exec(text) ?? [];
  return [...list.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
}

/** Runs `conformance ARGS…` into an empty folder; gives the checks of every scenario by name, and what went wrong. */
export async function conformance(node, args, folder) {
  const { code, output } = await run(node, [COMMAND, ...args, '--output-dir', folder]);
  const scenarios = new Map();
  for (const entry of readdirSync(folder)) {
    const [, name] = /^(?:server-)?(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(entry) ?? [];
    scenarios.set(name, JSON.parse(readFileSync(join(folder, entry, 'checks.json'), 'utf8')));
  }
  return { code, output, scenarios };
}
