// What the servers offer, remembered from their lists: cut names, plain names, resource URIs and templates.

import { createHash } from 'node:crypto';
import type { Log } from '../../log.ts';

export type NameKind = 'tools' | 'prompts';

export interface Target {
  readonly server: string;
  readonly name: string;
}

/** Routes names and URIs to servers. Filled by every list that passes through. */
export class Catalog {
  readonly #servers: readonly string[];
  readonly #naming: Naming;
  readonly #log: Log;
  readonly #names = { tools: new Map<string, Target>(), prompts: new Map<string, Target>() };
  readonly #uris = new Map<string, string>();
  readonly #templates = new Map<string, { readonly template: Template; readonly server: string }>();

  constructor(servers: readonly string[], naming: Naming, log: Log) {
    this.#servers = servers;
    this.#naming = naming;
    this.#log = log;
  }

  /** Notes a listed name and gives the name hosts see. */
  addName(kind: NameKind, server: string, name: string): string {
    const exposed = exposedName(this.#naming, server, name);
    const known = this.#names[kind].get(exposed);
    if (known && known.server !== server)
      this.#log.warn(
        { server, other: known.server },
        `two servers offer one ${kind} name; the first in the config has it`,
      );
    else this.#names[kind].set(exposed, { server, name });
    return exposed;
  }

  /** Whether there is one server and it keeps its names, so that nothing needs to be looked up. */
  get passesThrough(): boolean {
    return this.#servers.length === 1 && this.#naming === 'plain';
  }

  /** Where a name goes; undefined when only a fresh list can tell, or nothing can. */
  target(kind: NameKind, exposed: string): Target | undefined {
    const [only] = this.#servers;
    if (this.passesThrough && only !== undefined) return { server: only, name: exposed };
    const listed = this.#names[kind].get(exposed);
    if (listed) return listed;
    // A name nobody listed goes to its server all the same: the upstream says whether it exists.
    return this.#naming === 'prefix' && !mayBeCut(exposed) ? splitName(this.#servers, exposed) : undefined;
  }

  /** Notes a listed resource; the first server in config order keeps a URI that two offer. */
  addUri(uri: string, server: string): void {
    this.#keepFirst(this.#uris.get(uri), server, () => this.#uris.set(uri, server));
  }

  addTemplate(text: string, server: string): void {
    this.#keepFirst(this.#templates.get(text)?.server, server, () =>
      this.#templates.set(text, { template: templateOf(text), server }),
    );
  }

  /** The server of a resource URI: listed, or under the most literal template that fits. */
  serverOf(uri: string): string | undefined {
    const listed = this.#uris.get(uri);
    if (listed !== undefined) return listed;
    const fitting = [...this.#templates.values()].filter(({ template }) => template.matches(uri));
    fitting.sort((a, b) => b.template.literal - a.template.literal);
    return fitting[0]?.server;
  }

  /** The server of a template named in `completion/complete`. */
  serverOfTemplate(text: string): string | undefined {
    return this.#templates.get(text)?.server;
  }

  #keepFirst(known: string | undefined, server: string, set: () => void): void {
    if (known === undefined || this.#servers.indexOf(server) < this.#servers.indexOf(known)) set();
    if (known !== undefined && known !== server)
      this.#log.warn(
        { server, other: known },
        'two servers offer one resource URI; the first in the config has it',
      );
  }
}

/** A URI template as a test of URIs, and how much of it is literal (the more, the more exact). */
export interface Template {
  readonly text: string;
  readonly literal: number;
  matches(uri: string): boolean;
}

/**
 * Reads a URI template. The text between expressions must stand in the URI in that order, first and last anchored;
 * found with indexOf, so that no template of a server can make matching slow.
 */
export function templateOf(text: string): Template {
  const parts = text.split(/\{[^{}]*\}/);
  const literal = parts.reduce((sum, part) => sum + part.length, 0);
  return {
    text,
    literal,
    matches(uri) {
      const first = parts[0] ?? '';
      if (parts.length === 1) return uri === first;
      const last = parts[parts.length - 1] ?? '';
      if (uri.length < literal || !uri.startsWith(first) || !uri.endsWith(last)) return false;
      let at = first.length;
      for (const part of parts.slice(1, -1)) {
        const found = uri.indexOf(part, at);
        if (found < 0) return false;
        at = found + part.length;
      }
      return at <= uri.length - last.length;
    },
  };
}

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
