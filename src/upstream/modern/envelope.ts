// What every request of 2026-07-28 says in `_meta`: the revision, who asks, and what the client can do.
import {
  isObject,
  json,
  jsonOf,
  member,
  objectText,
  quote,
  trustedJson,
  withAt,
  withMember,
  withoutMembers,
} from '../../protocol/json-text.ts';
import { META } from '../../protocol/meta.ts';
import type { JsonText, Revision } from '../../protocol/types.ts';

/** Different capabilities that are kept as text; each host declares the same ones again and again. */
const KEPT = 100;

/** Keys of the envelope belong to mcpx alone; what else a host wrote into `_meta` stays (basic/index, "`_meta`"). */
const OWN: readonly string[] = [
  META.protocolVersion,
  META.clientInfo,
  META.clientCapabilities,
  META.logLevel,
];

export class Envelopes {
  readonly #own: readonly (readonly [string, JsonText])[];
  readonly #byCapabilities = new Map<JsonText, JsonText>();

  constructor(revision: Revision, clientVersion: string) {
    this.#own = [
      [META.protocolVersion, quote(revision)],
      [META.clientInfo, jsonOf({ name: 'mcpx', version: clientVersion })],
    ];
  }

  /** The params with the envelope in their `_meta`. */
  around(params: JsonText | undefined, capabilities: JsonText, logLevel?: string): JsonText {
    const envelope = this.#envelope(capabilities);
    const own = logLevel === undefined ? envelope : withMember(envelope, META.logLevel, quote(logLevel));
    const given = params === undefined ? undefined : member(params, '_meta');
    const kept = given !== undefined && isObject(given) ? withoutMembers(given, OWN) : '{}';
    const rest = kept.slice(kept.indexOf('{') + 1);
    const comma = rest.trimStart().startsWith('}') ? '' : ',';
    const meta = trustedJson(`${own.slice(0, -1)}${comma}${rest}`);
    return params === undefined ? json`{"_meta":${meta}}` : withMember(params, '_meta', meta);
  }

  /** Without what one request adds; most add nothing. */
  #envelope(capabilities: JsonText): JsonText {
    const known = this.#byCapabilities.get(capabilities);
    if (known !== undefined) return known;
    // The one word of the older revisions that this one no longer has.
    const declared = withAt(capabilities, ['roots', 'listChanged'], undefined);
    const text = objectText([...this.#own, [META.clientCapabilities, declared]]);
    if (this.#byCapabilities.size >= KEPT) this.#byCapabilities.clear();
    this.#byCapabilities.set(capabilities, text);
    return text;
  }
}
