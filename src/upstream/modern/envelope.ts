// What every request of 2026-07-28 says in `_meta`: the revision, who asks, and what the client can do.
import { isObject, member, quote, withAt, withMember, withoutMembers } from '../../protocol/json-text.ts';
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
  readonly #start: JsonText;
  readonly #byCapabilities = new Map<JsonText, JsonText>();

  constructor(revision: Revision, clientVersion: string) {
    const clientInfo = JSON.stringify({ name: 'mcpx', version: clientVersion });
    this.#start = `${quote(META.protocolVersion)}:"${revision}",${quote(META.clientInfo)}:${clientInfo}`;
  }

  /** The params with the envelope in their `_meta`. */
  around(params: JsonText | undefined, capabilities: JsonText, logLevel?: string): JsonText {
    let own = this.#members(capabilities);
    if (logLevel !== undefined) own += `,${quote(META.logLevel)}:${quote(logLevel)}`;
    const given = params === undefined ? undefined : member(params, '_meta');
    const kept = given !== undefined && isObject(given) ? withoutMembers(given, OWN) : '{}';
    const rest = kept.slice(kept.indexOf('{') + 1);
    const meta = `{${own}${rest.trimStart().startsWith('}') ? '' : ','}${rest}`;
    return params === undefined ? `{"_meta":${meta}}` : withMember(params, '_meta', meta);
  }

  #members(capabilities: JsonText): JsonText {
    const known = this.#byCapabilities.get(capabilities);
    if (known !== undefined) return known;
    // The one word of the older revisions that this one no longer has.
    const declared = withAt(capabilities, ['roots', 'listChanged'], undefined);
    const text = `${this.#start},${quote(META.clientCapabilities)}:${declared}`;
    if (this.#byCapabilities.size >= KEPT) this.#byCapabilities.clear();
    this.#byCapabilities.set(capabilities, text);
    return text;
  }
}
