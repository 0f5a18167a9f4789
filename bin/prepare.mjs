#!/usr/bin/env node
// Makes a checkout ready to run: installs what is missing, builds what is older than its source.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

function run(command, args) {
  // What the tools say goes to stderr, so that the command that follows owns stdout.
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) {
    console.error(`mcpx: "${command} ${args.join(' ')}" failed; mend what it says above and try again`);
    process.exit(done.status ?? 1);
  }
}

// npm leaves this file when an install is complete, and only then.
const installed = mtime(at('node_modules', '.package-lock.json'));
if (installed === 0 || installed < mtime(at('package-lock.json')))
  run('npm', ['ci', '--no-audit', '--no-fund']);

const sources = Math.max(newest(at('src')), mtime(at('tsconfig.build.json')), mtime(at('tsconfig.json')));
if (mtime(at('dist', '.built')) < sources) {
  rmSync(at('dist'), { recursive: true, force: true });
  run(process.execPath, [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json']);
  writeFileSync(at('dist', '.built'), '');
}
