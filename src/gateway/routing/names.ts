// Names of tools and prompts towards hosts: `<server>__<name>` where several servers could clash (docs/relay.md, "Names").
import { createHash } from 'node:crypto';

const SEPARATOR = '__';
/** Hosts and models refuse longer names. */
const LONGEST = 64;

export type Naming = 'plain' | 'prefix';

/** What `naming` comes to with this many servers: `auto` prefixes as soon as there are two. */
export function namingFor(naming: 'auto' | 'plain' | 'prefix', servers: number): Naming {
  if (naming !== 'auto') return naming;
  return servers > 1 ? 'prefix' : 'plain';
}

/** The key of a server as it stands in a name: what a tool name may not hold becomes `-`. */
export function prefixOf(server: string): string {
  return server.replace(/[^A-Za-z0-9_.-]/g, '-');
}

/** The name a host sees. Over 64 characters it is cut and given eight digits of the whole name's SHA-256. */
export function exposedName(naming: Naming, server: string, name: string): string {
  if (naming === 'plain') return name;
  const whole = `${prefixOf(server)}${SEPARATOR}${name}`;
  if (whole.length <= LONGEST) return whole;
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, 8);
  // A surrogate pair must not be cut in half.
  const head = whole.slice(0, LONGEST - 9).replace(/[\uD800-\uDBFF]$/, '');
  return `${head}_${digest}`;
}

/** Whether this exposed name may be one that was cut: only a listing knows what it stands for. */
export function mayBeCut(exposed: string): boolean {
  return /_[0-9a-f]{8}$/.test(exposed) && exposed.length >= LONGEST - 1;
}

/** Splits `<server>__<name>`; where one key begins another (`a`, `a__b`) the longest that fits wins. */
export function splitName(
  servers: readonly string[],
  exposed: string,
): { readonly server: string; readonly name: string } | undefined {
  let best: { server: string; name: string } | undefined;
  for (const server of servers) {
    const prefix = prefixOf(server) + SEPARATOR;
    if (
      exposed.startsWith(prefix) &&
      (!best || prefix.length > prefixOf(best.server).length + SEPARATOR.length)
    )
      best = { server, name: exposed.slice(prefix.length) };
  }
  return best;
}
