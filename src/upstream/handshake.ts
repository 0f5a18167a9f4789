// The legacy handshake: initialize, the revision that comes of it, notifications/initialized.
import { McpxError } from '../errors.ts';
import { isObject, json, jsonOf, member, quote, read, stringOf } from '../protocol/json-text.ts';
import { isLegacy, UPSTREAM_OFFER } from '../protocol/revisions.ts';
import { type JsonText, REVISIONS, type Reply } from '../protocol/types.ts';
import { inert } from '../text/inert.ts';
import type { Engine } from './engine.ts';
import type { Transport } from './transport.ts';
import type { UpstreamInfo } from './types.ts';

export interface Handshake {
  readonly server: string;
  /** The `capabilities` object mcpx declares. */
  readonly capabilities: JsonText;
  readonly clientVersion: string;
  readonly signal: AbortSignal;
}

/** The server answered `initialize` with a refusal, or with a revision that mcpx does not speak. */
export class InitializeRefused extends McpxError {
  /** The JSON-RPC code of the refusal; undefined where it was a result. */
  readonly rpcCode: number | undefined;

  constructor(message: string, hint: string | undefined, rpcCode: number | undefined) {
    super('upstream', message, hint);
    this.rpcCode = rpcCode;
  }
}

/**
 * Offers 2025-11-25 and takes whichever legacy revision is answered (basic/lifecycle, "Version Negotiation"). Rejects
 * with InitializeRefused, or as `Engine.request` does.
 */
export async function shakeHands(
  engine: Engine,
  transport: Transport,
  { server, capabilities, clientVersion, signal }: Handshake,
): Promise<UpstreamInfo> {
  const clientInfo = jsonOf({ name: 'mcpx', version: clientVersion });
  const params = json`{"protocolVersion":${quote(UPSTREAM_OFFER)},"capabilities":${capabilities},"clientInfo":${clientInfo}}`;
  const info = infoFrom(server, await engine.request('initialize', params, { signal }));
  engine.agreed(info.revision);
  transport.agreed(info.revision);
  await engine.notify('notifications/initialized', undefined);
  await transport.ready();
  signal.throwIfAborted();
  return info;
}

function infoFrom(server: string, reply: Reply): UpstreamInfo {
  if ('error' in reply) {
    const message = stringOf(member(reply.error, 'message')) ?? 'no reason given';
    throw new InitializeRefused(
      `${server}: refused initialize: ${inert(message, { oneLine: true, max: 300 })}`,
      undefined,
      Number(member(reply.error, 'code')),
    );
  }
  const { result } = reply;
  const answered = stringOf(member(result, 'protocolVersion'));
  const revision = REVISIONS.find((known) => known === answered && isLegacy(known));
  if (revision === undefined) {
    const said =
      answered === undefined
        ? 'no protocol revision'
        : `revision ${inert(answered, { oneLine: true, max: 40 })}`;
    throw new InitializeRefused(
      `${server}: answered ${said}, which mcpx does not speak`,
      `mcpx speaks ${REVISIONS.join(', ')}; update the server or mcpx.`,
      undefined,
    );
  }
  const capabilities = member(result, 'capabilities');
  const serverInfo = member(result, 'serverInfo');
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
