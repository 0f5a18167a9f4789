// `${NAME}` and `${NAME:-default}` in the texts of a configuration file.
import type { Env } from './paths.ts';

export type Expanded =
  | { readonly ok: true; readonly text: string }
  /** What follows the path of the key in the sentence about it. */
  | { readonly ok: false; readonly problem: string };

const REFERENCE = /\$\{([^}]*)(\}?)/g;
const INSIDE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/** Fills a text in once; what is filled in is not looked at again. The default also stands in for an empty variable. */
export function expand(text: string, env: Env): Expanded {
  let problem: string | undefined;
  const filled = text.replace(REFERENCE, (whole, inside: string, end: string) => {
    const parts = end === '' ? null : INSIDE.exec(inside);
    if (parts === null) {
      problem ??= `holds ${JSON.stringify(whole)}, which mcpx cannot fill in; write \${NAME} or \${NAME:-default}`;
      return whole;
    }
    const [, name = '', fallback] = parts;
    const value = env[name];
    if (fallback !== undefined) return value || fallback;
    if (value !== undefined) return value;
    problem ??= `needs the environment variable ${name}, which is not set; set it, or write \${${name}:-default}`;
    return whole;
  });
  return problem === undefined ? { ok: true, text: filled } : { ok: false, problem };
}
