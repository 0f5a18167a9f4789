// The usual scene of a behaviour test: one fixture upstream, one gateway, one host; both wires are checked at the end.
import type { Scope } from './create-scope.ts';
import { gatewayWithHost, type Installation, type RowView, type Spawned } from './gateway.ts';
import type { Host, HostOptions } from './host.ts';
import type { Program, Running } from './processes.ts';
import { testScope } from './scope.ts';
import { until } from './until.ts';
import { type FixtureUpstream, fixtureUpstream, type UpstreamOptions } from './upstream.ts';
import { checkWire } from './wire.ts';

export interface SceneOptions {
  /** Between host and gateway. */
  readonly transport?: 'http' | 'stdio';
  readonly host?: HostOptions;
  readonly upstream?: Partial<UpstreamOptions>;
  /** The key of the server in the config; `fixture` by default. */
  readonly server?: string;
  /** Other keys of mcpx.json. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** mcpx runs in processes of its own (see `GatewayOptions`). */
  readonly spawn?: boolean;
  /** What the wire check leaves out (see `WireCheck`). */
  readonly exempt?: readonly string[];
}

export interface Scene<P extends Program = Program> {
  readonly scope: Scope;
  readonly upstream: FixtureUpstream;
  readonly gateway: Installation<P> & { readonly process: P };
  readonly host: Host;
  /** The pending rows, once there are `count`. */
  pending(count: number): Promise<RowView[]>;
  /** The one pending row, waited for. */
  row(): Promise<RowView>;
  /** The one row in this state, waited for. */
  rowIn(state: string): Promise<RowView>;
}

/** Capabilities of a host that can show forms. */
export const CAN_ASK = '{"elicitation":{}}';

export async function scene(options: SceneOptions & Spawned): Promise<Scene<Running>>;
export async function scene(options?: SceneOptions): Promise<Scene>;
export async function scene(options: SceneOptions = {}): Promise<Scene> {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio', ...options.upstream });
  const gateway = await gatewayWithHost(
    scope,
    options.transport ?? 'http',
    {
      servers: { [options.server ?? 'fixture']: upstream.entry },
      ...(options.config ? { config: options.config } : {}),
      ...(options.spawn ? { spawn: true } : {}),
    },
    options.host,
  );
  const { host } = gateway;
  const exempt = options.exempt ?? [];
  scope.defer(() => checkWire(host.wire, { revision: host.revision, exempt }));
  scope.defer(() => checkWire(upstream.wire(), { revision: upstream.revision, exempt }));

  const pending = (count: number): Promise<RowView[]> =>
    until(`${count} pending`, async () => {
      const rows = await gateway.rows();
      return rows.length === count && rows;
    });
  const one = ([row]: RowView[]): RowView => {
    if (!row) throw new Error('there is no row');
    return row;
  };
  return {
    scope,
    upstream,
    gateway,
    host,
    pending,
    row: async () => one(await pending(1)),
    rowIn: (state) =>
      until(`a row that is ${state}`, async () =>
        (await gateway.rows(['--all'])).find((row) => row.state === state),
      ),
  };
}

/** The answers as the fixture's `ask` got them, from a started call. */
export async function answersOf(reply: Promise<{ result: string } | { error: string }>): Promise<string[]> {
  const given = await reply;
  if ('error' in given) throw new Error(`the call failed: ${given.error}`);
  const { content } = JSON.parse(given.result) as { content: { text: string }[] };
  return (JSON.parse(content[0]?.text ?? '') as { answers: string[] }).answers;
}
