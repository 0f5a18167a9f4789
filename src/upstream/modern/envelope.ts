// What every request of 2026-07-28 says in `_meta`: the revision, who asks, and what the client can do.
import {
  isObject,
  member,
  objectText,
  withAt,
  withMember,
  withoutMembers,
} from '../../protocol/json-text.ts';
import { META } from '../../protocol/meta.ts';
import type { JsonText, Revision } from '../../protocol/types.ts';

export interface Envelope {
  readonly revision: Revision;
  readonly clientVersion: string;
  readonly capabilities: JsonText;
  readonly logLevel?: string | undefined;
}

/** Keys of the envelope belong to mcpx alone; what else a host wrote into `_meta` stays (basic/index, "`_meta`"). */
const OWN: readonly string[] = [
  META.protocolVersion,
  META.clientInfo,
  META.clientCapabilities,
  META.logLevel,
];

/** The params with the envelope in their `_meta`. */
export function enveloped(params: JsonText | undefined, envelope: Envelope): JsonText {
  const { revision, clientVersion, capabilities, logLevel } = envelope;
  const own: [string, JsonText][] = [
    [META.protocolVersion, JSON.stringify(revision)],
    [META.clientInfo, JSON.stringify({ name: 'mcpx', version: clientVersion })],
    // The one word of the older revisions that this one no longer has.
    [META.clientCapabilities, withAt(capabilities, ['roots', 'listChanged'], undefined)],
  ];
  if (logLevel !== undefined) own.push([META.logLevel, JSON.stringify(logLevel)]);
  const given = params === undefined ? undefined : member(params, '_meta');
  if (given === undefined || !isObject(given)) return withMember(params ?? '{}', '_meta', objectText(own));
  const kept = withoutMembers(given, OWN);
  const meta = own.reduce((text, [key, value]) => withMember(text, key, value), kept);
  return withMember(params ?? '{}', '_meta', meta);
}
