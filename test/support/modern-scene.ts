// The usual scene of a test about stateless hosts: one fixture upstream, one gateway over HTTP, one raw host of 2026-07-28.
import type { Scope } from './create-scope.ts';
import { type HttpGateway, type RowView, type Spawned, serveHttp, startGateway } from './gateway.ts';
import type { RawReply } from './host.ts';
import type { ModernHost } from './modern-host.ts';
import { modernHttpHost } from './modern-host-http.ts';
import type { Program, Running } from './processes.ts';
import { testScope } from './scope.ts';
import { until } from './until.ts';
import { type FixtureUpstream, fixtureUpstream, type UpstreamOptions } from './upstream.ts';
import { checkUpstreamWire } from './upstream-wire.ts';
import { checkWire } from './wire.ts';

export const FORM_AND_URL = '{"elicitation":{"form":{},"url":{}}}';
export const MODERN_UPSTREAM = '2026-07-28';
export const LEGACY_UPSTREAM = '2025-11-25';

export interface ModernSceneOptions {
  /** Raw JSON; both modes when absent. */
  readonly capabilities?: string;
  readonly upstream?: Partial<UpstreamOptions>;
  /** Other keys of mcpx.json. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** mcpx runs in processes of its own (see `GatewayOptions`). */
  readonly spawn?: boolean;
}

export interface ModernScene<P extends Program = Program> {
  readonly scope: Scope;
  readonly upstream: FixtureUpstream;
  readonly gateway: HttpGateway<P>;
  readonly host: ModernHost;
  /** One more gateway of the same installation, and a host of it. */
  another(): Promise<{ readonly gateway: HttpGateway<P>; readonly host: ModernHost }>;
  /** A host at the first gateway, with capabilities and headers of its own. */
  hostWith(capabilities: string): ModernHost;
  /** How often this tool was called upstream, retries included. */
  calls(tool: string): number;
  /** The one row in this state, waited for. */
  rowIn(state: string): Promise<RowView>;
}

/** Both wires are held against the schemas when the test is over. */
export async function modernScene(options: ModernSceneOptions & Spawned): Promise<ModernScene<Running>>;
export async function modernScene(options?: ModernSceneOptions): Promise<ModernScene>;
export async function modernScene(options: ModernSceneOptions = {}): Promise<ModernScene> {
  const scope = testScope();
  const capabilities = options.capabilities ?? FORM_AND_URL;
  const upstream = await fixtureUpstream(scope, {
    transport: 'http',
    revision: MODERN_UPSTREAM,
    ...options.upstream,
  });
  const gateway = await startGateway(scope, {
    servers: { fixture: upstream.entry },
    ...(options.config && { config: options.config }),
    ...(options.spawn && { spawn: true }),
  });
  scope.defer(() => checkUpstreamWire(upstream));
  const hostOf = ({ url }: HttpGateway, declared = capabilities): ModernHost => {
    const host = modernHttpHost(url, { capabilities: declared });
    scope.defer(() => checkWire(host.wire, { revision: host.revision }));
    scope.defer(() => host.close());
    return host;
  };
  return {
    scope,
    upstream,
    gateway,
    host: hostOf(gateway),
    async another() {
      const more = await serveHttp(scope, gateway);
      return { gateway: more, host: hostOf(more) };
    },
    hostWith: (declared) => hostOf(gateway, declared),
    calls: (tool) =>
      upstream.messages().filter(({ method, params }) => {
        const { name } = (params ?? {}) as { name?: string };
        return method === 'tools/call' && name === tool;
      }).length,
    rowIn: (state) =>
      until(`a row that is ${state}`, async () =>
        (await gateway.rows(['--all'])).find((row) => row.state === state),
      ),
  };
}

/** The error of a reply, parsed. */
export function errorOf(reply: RawReply): { code: number; message: string; data?: Record<string, unknown> } {
  if ('result' in reply) throw new Error(`no error: ${reply.result}`);
  return JSON.parse(reply.error) as { code: number; message: string; data?: Record<string, unknown> };
}

/** The answers that the tool `ask` returned, raw. */
export function answersIn(reply: RawReply): string[] {
  if ('error' in reply) throw new Error(`the call failed: ${reply.error}`);
  const { content } = JSON.parse(reply.result) as { content?: { text: string }[] };
  return (JSON.parse(content?.[0]?.text ?? '{}') as { answers: string[] }).answers;
}

/** A form's accept with one field. */
export const accept = (repo: string): string =>
  `{"action":"accept","content":{"repo":${JSON.stringify(repo)}}}`;
