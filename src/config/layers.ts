// Puts flags, environment, file and defaults on top of each other, value by value, and remembers whence.
import type { Document } from './document.ts';
import type { Env } from './paths.ts';
import { isObject, type Path, pathText, valueAt } from './problem.ts';
import { nameOfCommand } from './server-name.ts';
import type { Source } from './types.ts';

export const DEFAULTS = {
  elicit: {
    ttl: '10m',
    urlWait: '5m',
    unattended: 'wait',
    audience: 'all',
    sensitive: 'seal',
    keep: '30d',
    rules: [],
  },
  serve: {
    port: 7331,
    host: '127.0.0.1',
    naming: 'auto',
    callTimeout: '120s',
    callCeiling: '1h',
    allowedHosts: [],
    allowedOrigins: [],
    auth: { tokens: [] },
  },
  limits: {
    messageBytes: 65_536,
    schemaBytes: 262_144,
    properties: 500,
    options: 2_000,
    answerBytes: 262_144,
    frameBytes: 16_777_216,
    openPerServer: 200,
    newPerMinute: 600,
    questionsPerRound: 64,
    parkedCalls: 1_000,
    channels: 32,
    sessions: 1_000,
  },
} as const;

export type Section = keyof typeof DEFAULTS;
export const SECTIONS: readonly Section[] = ['elicit', 'serve', 'limits'];

/** What was typed; texts, as they came from the command line. */
export interface Flags {
  readonly config?: string | undefined;
  readonly stateDir?: string | undefined;
  readonly port?: string | undefined;
  readonly host?: string | undefined;
}

export interface Layers {
  /** As the schema reads it: complete, with variables filled in. */
  readonly value: Record<string, unknown>;
  /** The same as it was written. */
  readonly written: Record<string, unknown>;
  sourceOf(path: Path): Source;
}

interface Override {
  readonly section: Section;
  readonly key: string;
  readonly value: unknown;
  readonly source: Source;
}

export function layer(input: {
  readonly flags: Flags;
  readonly env: Env;
  readonly file: { readonly path: string; readonly document: Document } | undefined;
  readonly command: readonly string[] | undefined;
}): Layers {
  const { flags, env, file, command } = input;
  const overrides = overridesOf(flags, env);
  const stack = (content: unknown): Record<string, unknown> => {
    const made: Record<string, unknown> = isObject(content) ? { ...content } : {};
    for (const section of SECTIONS) {
      const given = made[section];
      if (given !== undefined && !isObject(given)) continue;
      const overriding = overrides
        .filter((one) => one.section === section)
        .map(({ key, value }) => [key, value]);
      made[section] = { ...DEFAULTS[section], ...given, ...Object.fromEntries(overriding) };
    }
    if (file === undefined) made['mcpServers'] = command === undefined ? {} : serverOf(command);
    return made;
  };
  const made = { value: stack(file?.document.value), written: stack(file?.document.written) };
  return {
    ...made,
    sourceOf(path) {
      const override = overrides.find((one) => `${one.section}.${one.key}` === pathText(path.slice(0, 2)));
      if (override !== undefined) return override.source;
      if (command !== undefined && valueAt(made.written, path) !== undefined && path[0] === 'mcpServers') {
        return { from: 'flag', at: '--' };
      }
      if (file === undefined || valueAt(file.document.written, path) === undefined)
        return { from: 'default' };
      return { from: 'config', at: `${file.path}:${file.document.positionOf(path).line}` };
    },
  };
}

function overridesOf(flags: Flags, env: Env): Override[] {
  const found: Override[] = [];
  const add = (key: string, value: unknown, source: Source) =>
    found.push({ section: 'serve', key, value, source });
  if (flags.port !== undefined) add('port', number(flags.port), { from: 'flag', at: '--port' });
  else if (env['MCPX_PORT']) add('port', number(env['MCPX_PORT']), { from: 'environment', at: 'MCPX_PORT' });
  if (flags.host !== undefined) add('host', flags.host, { from: 'flag', at: '--host' });
  return found;
}

/** A text that is no number stays a text, which the schema then names. */
function number(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function serverOf(words: readonly string[]): Record<string, unknown> {
  const [command, ...args] = words;
  return { [nameOfCommand(words)]: { command, args } };
}
