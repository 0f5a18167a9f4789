#!/usr/bin/env node
// Start-up facts that must be settled before any other module is loaded.
// Ink's chalk does not know NO_COLOR, so it is told in the word that it does know.
const noColor = process.argv.includes('--no-color') || Boolean(process.env.NO_COLOR);
if (noColor) process.env.FORCE_COLOR = '0';
const { main } = await import('../dist/cli/main.js');
process.exitCode = await main(process.argv.slice(2));
