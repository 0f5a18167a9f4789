#!/usr/bin/env node
// Runs run.ts: Node 20 takes no TypeScript, so vite (vitest's own) loads it.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const { module } = await runnerImport(fileURLToPath(new URL('run.ts', import.meta.url)), {
  logLevel: 'error',
});
process.exitCode = await module.main(process.argv.slice(2));
