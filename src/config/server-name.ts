// The names of servers: what they may be, and the one that a command line gives.

/** Names stand in tool names (`<server>__<tool>`), in `server.tool` and on command lines. */
const USABLE = /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_))*$/;
const LONGEST = 64;

/** What is wrong with a server's name, as the end of a sentence; `undefined` when nothing is. */
export function nameProblem(name: string): string | undefined {
  if (name.length > LONGEST) return `is too long for the name of a server; use at most ${LONGEST} characters`;
  if (USABLE.test(name) && !name.endsWith('_')) return undefined;
  const rule = 'letters, digits, "-" and single "_" between them';
  return `cannot be the name of a server; use ${rule}, such as "${usableName(name)}"`;
}

/** Programs that only start another one, which the server is then named for. */
const LAUNCHERS = new Set(
  'npx bunx pnpx uvx pipx npm pnpm yarn bun deno node python python3 tsx uv'.split(' '),
);
const VERBS = new Set(['exec', 'dlx', 'x', 'run']);

/**
 * The name of the server that stands after `--`: the last part of the program's path, or behind a launcher (npx,
 * uvx, node, …) of its first word that is no option and no verb such as `dlx`; without scope, version and
 * extension. `npx -y @scope/server-foo@1.2` gives `server-foo`, `node ./weather.js` gives `weather`.
 */
export function nameOfCommand(command: readonly string[]): string {
  const [program = '', ...args] = command;
  const own = usableName(stem(program));
  if (!LAUNCHERS.has(own)) return own;
  const started = args.find((arg) => !arg.startsWith('-') && !VERBS.has(arg));
  return started === undefined ? own : usableName(stem(started));
}

function stem(word: string): string {
  const last = word.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  return last.replace(/(?<=.)(?:@|==|\[).*$/, '').replace(/\.(?:[cm]?[jt]s|py|exe|cmd|bat|sh)$/i, '');
}

function usableName(text: string): string {
  const plain = text
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/_{2,}/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '')
    .slice(0, LONGEST)
    .replace(/_+$/, '');
  return plain === '' ? 'server' : plain;
}
