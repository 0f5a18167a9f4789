// Loaded by `node --import`: appends the URL of every module that is loaded to the file named by MCPX_LOADED.
import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';

const file = process.env.MCPX_LOADED;
const hooks = `
import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  appendFileSync(${JSON.stringify(file)}, url + '\\n');
  return next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

// What CommonJS packages require does not pass the hooks.
process.on('exit', () => {
  const { cache } = createRequire(import.meta.url);
  for (const path of Object.keys(cache)) appendFileSync(file, `${path}\n`);
});
