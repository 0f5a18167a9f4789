// The `initialize` handshake of the legacy revisions: what the host says, and how mcpx answers (basic/lifecycle).
import { isWhole, jsonOf, objectText, quote, read } from '../protocol/json-text.ts';
import { atLeast, negotiate } from '../protocol/revisions.ts';
import type { JsonText } from '../protocol/types.ts';
import type { HostFacts, Welcome } from './types.ts';

/** mcpx as it names itself to hosts; `title` goes only to the revisions that know it. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/**
 * What the `params` of `initialize` say, with the revision that both sides will speak: the host's own where mcpx
 * knows it, else mcpx's newest. Undefined where they name no revision at all.
 */
export function readInitialize(
  params: JsonText | undefined,
  from: Pick<HostFacts, 'principal' | 'transport'>,
): HostFacts | undefined {
  // The scanner that let the message through looks less closely than JSON.parse does.
  const said = asRecord(params !== undefined && isWhole(params) ? read(params) : undefined);
  const requested = said['protocolVersion'];
  if (typeof requested !== 'string') return undefined;
  const name = asRecord(said['clientInfo'])['name'];
  return {
    ...from,
    revision: negotiate(requested),
    capabilities: said['capabilities'],
    clientName: typeof name === 'string' ? name : '',
  };
}

/** The text of the InitializeResult, in the words of the host's revision. */
export function initializeResult(facts: HostFacts, info: ServerInfo, welcome: Welcome): JsonText {
  const { name, version, title } = info;
  const titled = title !== undefined && atLeast(facts.revision, '2025-06-18');
  return objectText([
    ['protocolVersion', quote(facts.revision)],
    ['capabilities', welcome.capabilities],
    ['serverInfo', jsonOf(titled ? { name, title, version } : { name, version })],
    ...(welcome.instructions === undefined ? [] : [['instructions', quote(welcome.instructions)] as const]),
  ]);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
