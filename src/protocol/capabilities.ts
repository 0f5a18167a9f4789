// What hosts and upstreams declare: what it means, and what mcpx declares to either in its turn.

import { at, isObject, json, member, objectText } from './json-text.ts';
import { atLeast } from './revisions.ts';
import type { JsonText, Revision } from './types.ts';

/** The modes in which a peer can be asked, or mcpx can. */
export interface ElicitationModes {
  readonly form: boolean;
  readonly url: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own member of an object; undefined for anything else. */
function field(value: unknown, key: string): unknown {
  return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * How a host that declared this may be asked inline (docs/relay.md, "Asking the host"; ELI-01, C13). Whatever is
 * malformed counts as not declared.
 */
export function elicitationModes(revision: Revision, capabilities: unknown): ElicitationModes {
  const declared = field(capabilities, 'elicitation');
  if (!isFields(declared) || !atLeast(revision, '2025-06-18')) return { form: false, url: false };
  if (!atLeast(revision, '2025-11-25')) return { form: true, url: false };
  const empty = Object.keys(declared).length === 0;
  return { form: empty || isFields(field(declared, 'form')), url: isFields(field(declared, 'url')) };
}

/** Whether a capability is declared, which means: is an object. */
export function declares(
  capabilities: unknown,
  name: 'elicitation' | 'sampling' | 'roots' | 'tools' | 'prompts' | 'resources' | 'logging' | 'completions',
): boolean {
  return isFields(field(capabilities, name));
}

/** What mcpx, or the host behind it, can do for an upstream; `sampling` and `roots` as the host wrote them. */
export interface ClientAbilities {
  readonly elicitation: ElicitationModes | undefined;
  readonly sampling: JsonText | undefined;
  readonly roots: JsonText | undefined;
}

/** The `capabilities` that mcpx declares to an upstream, in the words of the revision it offers. */
export function clientCapabilities(input: ClientAbilities, revision: Revision): JsonText {
  const members: [string, JsonText][] = [];
  const { roots, sampling } = input;
  if (roots !== undefined && isObject(roots)) {
    members.push(['roots', member(roots, 'listChanged') === 'true' ? json`{"listChanged":true}` : '{}']);
  }
  if (sampling !== undefined && isObject(sampling)) {
    members.push([
      'sampling',
      atLeast(revision, '2025-11-25') ? parts(sampling, ['context', 'tools']) : '{}',
    ]);
  }
  const modes = input.elicitation;
  if (atLeast(revision, '2025-11-25')) {
    const asked: [string, JsonText][] = [];
    if (modes?.form) asked.push(['form', '{}']);
    if (modes?.url) asked.push(['url', '{}']);
    if (asked.length > 0) members.push(['elicitation', objectText(asked)]);
  } else if (atLeast(revision, '2025-06-18') && modes?.form) {
    members.push(['elicitation', '{}']);
  }
  return objectText(members);
}

/** What of a sample only a host with `sampling.tools` can do (2025-11-25 client/sampling, "Tools in Sampling"). */
const TOOLS_IN_SAMPLES: readonly string[] = ['tools', 'toolChoice'];

/** The member of an upstream's request that asks for more than `capabilities` (JSON text) declared; undefined for none. */
export function undeclared(
  method: string,
  params: JsonText | undefined,
  capabilities: JsonText,
): string | undefined {
  if (method !== 'sampling/createMessage' || params === undefined) return undefined;
  const declared = at(capabilities, ['sampling', 'tools']);
  if (declared !== undefined && isObject(declared)) return undefined;
  return TOOLS_IN_SAMPLES.find((key) => member(params, key) !== undefined);
}

/** The named members that are objects, each as an empty one: what stands in them is between others. */
function parts(text: JsonText, keys: readonly string[]): JsonText {
  const there = keys.filter((key) => {
    const value = member(text, key);
    return value !== undefined && isObject(value);
  });
  return objectText(there.map((key) => [key, '{}']));
}

/** What a server can declare, the flags in it, and the revision that brought it. */
const SERVER: readonly { name: string; flags: readonly string[]; since: Revision }[] = [
  { name: 'logging', flags: [], since: '2024-11-05' },
  { name: 'completions', flags: [], since: '2025-03-26' },
  { name: 'prompts', flags: ['listChanged'], since: '2024-11-05' },
  { name: 'resources', flags: ['subscribe', 'listChanged'], since: '2024-11-05' },
  { name: 'tools', flags: ['listChanged'], since: '2024-11-05' },
];

/**
 * The `capabilities` that mcpx declares to a host: the union of what the upstreams declared, of the things that the
 * host's revision defines and mcpx passes on (no tasks, nothing experimental).
 */
export function serverCapabilities(revision: Revision, upstreams: readonly Fields[]): JsonText {
  const members: [string, JsonText][] = [];
  for (const { name, flags, since } of SERVER) {
    const declared = upstreams.map((capabilities) => field(capabilities, name)).filter(isFields);
    if (declared.length === 0 || !atLeast(revision, since)) continue;
    const set = flags.filter((flag) => declared.some((value) => field(value, flag) === true));
    members.push([name, objectText(set.map((flag) => [flag, 'true']))]);
  }
  return objectText(members);
}
