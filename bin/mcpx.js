#!/usr/bin/env node
// Start-up facts that must be settled before any other module is loaded.
const [own = ''] = process.argv
  .slice(2)
  .join(' ')
  .split(/(?:^| )--(?: |$)/);
const flag = /(?:^| )--no-color(?: |$)/.test(own) ? 'never' : /(?:^| )--color[= ](\w+)/.exec(own)?.[1];
// Ink's chalk knows neither NO_COLOR nor our flags, so it is told in the word that it does know.
if (flag === 'never' || (flag !== 'always' && process.env.NO_COLOR)) process.env.FORCE_COLOR = '0';
const { main } = await import('../dist/cli/main.js');
process.exitCode = await main(process.argv.slice(2));
