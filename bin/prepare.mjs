#!/usr/bin/env node
// Makes a checkout ready to run: installs what is missing, builds what is older than its source.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const at = (...parts) => join(root, ...parts);
const mtime = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : mtime(path));
  }
  return latest;
}

function run(command, args, cleanUp = () => {}) {
  // What the tools say goes to stderr, so that the command that follows owns stdout.
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) {
    cleanUp();
    console.error(`mcpx: "${command} ${args.join(' ')}" failed; fix what it says above and try again`);
    process.exit(done.status ?? 1);
  }
}

/** False when another run of this script swapped its build in at the same moment. */
function attempt(swap) {
  try {
    swap();
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) return false;
    throw error;
  }
}

/** Whether node_modules holds what the lockfile names. File times say nothing: git writes the lockfile anew. */
function installed() {
  // npm leaves this file when an install is complete, and only then.
  const path = at('node_modules', '.package-lock.json');
  if (!existsSync(path)) return false;
  const present = JSON.parse(readFileSync(path, 'utf8')).packages;
  const wanted = Object.entries(JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages);
  return wanted.every(
    ([name, { version, optional, devOptional, peer }]) =>
      name === '' ||
      present[name]?.version === version ||
      (!present[name] && (optional || devOptional || peer)),
  );
}

if (!installed()) run('npm', ['ci', '--no-audit', '--no-fund']);

const sources = Math.max(newest(at('src')), mtime(at('tsconfig.build.json')), mtime(at('tsconfig.json')));
if (mtime(at('dist', '.built')) < sources) {
  // Built aside and then swapped in, so that a command that runs meanwhile never finds half of it.
  const fresh = at(`dist-${process.pid}`);
  const stale = `${fresh}-old`;
  const started = new Date();
  const tsc = at('node_modules', 'typescript', 'bin', 'tsc');
  run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', fresh], () =>
    rmSync(fresh, { recursive: true, force: true }),
  );
  writeFileSync(join(fresh, '.built'), '');
  // A source written while this ran is newer than the build.
  utimesSync(join(fresh, '.built'), started, started);
  for (let swapped = false; !swapped; ) {
    rmSync(stale, { recursive: true, force: true });
    if (existsSync(at('dist'))) attempt(() => renameSync(at('dist'), stale));
    swapped = attempt(() => renameSync(fresh, at('dist')));
  }
  rmSync(stale, { recursive: true, force: true });
}
