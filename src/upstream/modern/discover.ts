// server/discover: what a modern upstream says of itself, or that it is no modern one.
import { McpxError } from '../../errors.ts';
import { at, elements, isArray, isObject, member, read, stringOf } from '../../protocol/json-text.ts';
import { RPC } from '../../protocol/message.ts';
import { META } from '../../protocol/meta.ts';
import { isLegacy, MODERN_OFFER } from '../../protocol/revisions.ts';
import { type JsonText, REVISIONS, type Revision } from '../../protocol/types.ts';
import { inert } from '../../text/inert.ts';
import type { Engine } from '../engine.ts';
import type { UpstreamInfo } from '../types.ts';
import { Envelopes } from './envelope.ts';
import { standardHeaders } from './headers.ts';

/** The upstream answered as no server of 2026-07-28 does, or (`silent`) not at all: `initialize` is worth a try. */
export class NotModern extends McpxError {
  readonly silent: boolean;

  constructor(server: string, reason: string, silent = false) {
    super(
      'upstream',
      `${server}: does not speak ${MODERN_OFFER}: ${reason}`,
      `Take "era": "modern" out of mcpServers.${server}, or update the server.`,
    );
    this.silent = silent;
  }
}

/** Codes that only a modern server sends (basic/transports, "Backward Compatibility"). */
const MODERN: readonly number[] = [RPC.headerMismatch, RPC.missingCapability, RPC.unsupportedVersion];

export function isModernCode(code: number | undefined): boolean {
  return code !== undefined && MODERN.includes(code);
}

export interface Discovery {
  readonly server: string;
  readonly capabilities: JsonText;
  readonly clientVersion: string;
  readonly signal: AbortSignal;
}

/**
 * Asks and chooses the revision (server/discover; basic/versioning). Rejects with NotModern, with McpxError `upstream`
 * where a modern server refuses, or as `Engine.request` does.
 */
export async function discover(engine: Engine, discovery: Discovery): Promise<UpstreamInfo> {
  const { server, capabilities, clientVersion, signal } = discovery;
  const params = new Envelopes(MODERN_OFFER, clientVersion).around(undefined, capabilities);
  const headers = standardHeaders(MODERN_OFFER, 'server/discover', params);
  const ask = () => engine.request('server/discover', params, { signal, headers });
  let reply = await ask();
  if ('error' in reply && offersModern(reply.error)) reply = await ask();
  if ('error' in reply) throw refusal(server, reply.error);
  return infoFrom(server, reply.result);
}

/** A server that refuses the version and yet names it may be one of several, or in the middle of an update. */
export function offersModern(error: JsonText): boolean {
  if (Number(member(error, 'code')) !== RPC.unsupportedVersion) return false;
  const supported = at(error, ['data', 'supported']);
  return supported !== undefined && mutual(supported).includes(MODERN_OFFER);
}

function refusal(server: string, error: JsonText): McpxError {
  const code = Number(member(error, 'code'));
  const message = inert(stringOf(member(error, 'message')) ?? '', { oneLine: true, max: 200 });
  if (!isModernCode(code)) return new NotModern(server, message);
  if (code === RPC.unsupportedVersion && !offersModern(error))
    return unspoken(server, at(error, ['data', 'supported']));
  return new McpxError('upstream', `${server}: refused server/discover: ${message}`);
}

function infoFrom(server: string, result: JsonText): UpstreamInfo {
  const supported = isObject(result) ? member(result, 'supportedVersions') : undefined;
  if (supported === undefined) throw new NotModern(server, 'server/discover returned something else');
  const revision = mutual(supported).findLast((known) => !isLegacy(known));
  if (revision === undefined) throw unspoken(server, supported);
  const capabilities = member(result, 'capabilities');
  const serverInfo = at(result, ['_meta', META.serverInfo]);
  return {
    revision,
    capabilities:
      capabilities !== undefined && isObject(capabilities)
        ? (read(capabilities) as Record<string, unknown>)
        : {},
    serverInfo: serverInfo !== undefined && isObject(serverInfo) ? serverInfo : '{}',
    instructions: stringOf(member(result, 'instructions')),
  };
}

/** Versions with a handshake are agreed on by the handshake; without any in common there is nothing left to try. */
function unspoken(server: string, supported: JsonText | undefined): McpxError {
  const common = supported === undefined ? [] : mutual(supported);
  if (common.some(isLegacy)) return new NotModern(server, `it speaks ${common.join(', ')}`);
  const said = supported === undefined ? 'no list' : inert(supported, { oneLine: true, max: 100 });
  return new McpxError(
    'upstream',
    `${server}: supports no revision that mcpx speaks; it says ${said}`,
    `mcpx speaks ${REVISIONS.join(', ')}; update the server or mcpx.`,
  );
}

function mutual(supported: JsonText): Revision[] {
  const said = isArray(supported) ? elements(supported).map(stringOf) : [];
  return REVISIONS.filter((known) => said.includes(known));
}
