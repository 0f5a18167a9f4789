// The built `mcpx serve` as a real process, with a config and a state directory of its own, and `mcpx …` commands beside it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scope } from './create-scope.ts';
import type { Host, HostOptions } from './host.ts';
import { connectHttpHost, type HttpHost, type HttpHostOptions } from './host-http.ts';
import { connectStdioHost } from './host-stdio.ts';
import { type Finished, ROOT, type Running, runNode, startNode } from './processes.ts';

export const MCPX = join(ROOT, 'bin', 'mcpx.js');

/** A row as `mcpx elicit show --json` gives it, as far as tests read it. */
export interface RowView {
  readonly id: string;
  readonly state: string;
  readonly server: string;
  readonly mode: string;
  readonly message: string;
  readonly requestedSchema?: unknown;
  readonly url?: string;
  readonly elicitationId?: string;
  readonly tool?: string;
  readonly call?: string;
  readonly method?: string;
  readonly host?: { readonly name: string; readonly revision: string; readonly inline: boolean };
  readonly audience: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly answer?: {
    readonly action: string;
    readonly content?: unknown;
    readonly by: string;
    readonly at: string;
  };
  readonly deliveredAt?: string;
  readonly completedAt?: string;
  readonly reason?: string;
}

/** A state directory and a config: what every `mcpx` process of one installation shares. */
export interface Installation {
  readonly stateDir: string;
  readonly configFile: string;
  readonly env: Record<string, string>;
  /** Runs `mcpx ARGS…` to its end. */
  mcpx(
    args: readonly string[],
    options?: { input?: string; env?: Record<string, string>; ms?: number },
  ): Promise<Finished>;
  /** Starts `mcpx ARGS…` and leaves it running. */
  start(args: readonly string[], env?: Record<string, string>): Running;
  /** `mcpx ARGS… --json`, parsed; throws when it fails. */
  json<T>(args: readonly string[]): Promise<T>;
  /** Pending rows, or all with `['--all']`. */
  rows(args?: readonly string[]): Promise<RowView[]>;
  row(id: string): Promise<RowView>;
}

export interface GatewayOptions {
  /** Entries of `mcpServers`. */
  readonly servers: Readonly<Record<string, unknown>>;
  /** Other keys of mcpx.json: `elicit`, `serve`, `limits`. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Record<string, string>;
}

/** Writes the config; nothing runs yet. */
export function install(scope: Scope, options: GatewayOptions): Installation {
  const dir = scope.dir();
  const stateDir = join(dir, 'state');
  const configFile = join(dir, 'mcpx.json');
  writeFileSync(configFile, JSON.stringify({ mcpServers: options.servers, ...options.config }));
  const env = {
    MCPX_STATE_DIR: stateDir,
    MCPX_CONFIG: configFile,
    XDG_STATE_HOME: join(dir, 'xdg-state'),
    XDG_CONFIG_HOME: join(dir, 'xdg-config'),
    ...options.env,
  };
  const installation: Installation = {
    stateDir,
    configFile,
    env,
    mcpx: (args, { input, env: more, ms } = {}) =>
      runNode(scope, [MCPX, ...args], {
        cwd: dir,
        env: { ...env, ...more },
        ...(input === undefined ? {} : { input }),
        ...(ms === undefined ? {} : { ms }),
      }),
    start: (args, more) => startNode(scope, [MCPX, ...args], { cwd: dir, env: { ...env, ...more } }),
    async json<T>(args: readonly string[]): Promise<T> {
      const { code, stdout, stderr } = await installation.mcpx([...args, '--json']);
      if (code !== 0) throw new Error(`mcpx ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    rows: (args = []) => installation.json<RowView[]>(['elicit', 'list', ...args]),
    row: (id) => installation.json<RowView>(['elicit', 'show', id]),
  };
  return installation;
}

export interface HttpGateway extends Installation {
  readonly url: string;
  readonly process: Running;
  connect(options?: HttpHostOptions): Promise<HttpHost>;
}

/** `mcpx serve` on a port of its own; resolves once it accepts calls. */
export async function startGateway(scope: Scope, options: GatewayOptions): Promise<HttpGateway> {
  return serveHttp(scope, install(scope, options));
}

/** Starts (or starts again) the HTTP gateway of an installation. */
export async function serveHttp(
  scope: Scope,
  installation: Installation,
  more: readonly string[] = [],
): Promise<HttpGateway> {
  const process = installation.start(['serve', '--port', '0', '--json', ...more]);
  const { url } = JSON.parse(await process.line((line) => line.startsWith('{'), 20_000)) as { url: string };
  return {
    ...installation,
    url,
    process,
    async connect(hostOptions) {
      const host = await connectHttpHost(url, hostOptions);
      // A test that has ended cuts what it left open, so that nothing waits for it.
      scope.defer(() => host.cut());
      return host;
    },
  };
}

export interface StdioGateway extends Installation {
  readonly host: Host;
  readonly process: Running;
}

/** `mcpx serve --stdio` with a host on its pipes. */
export async function startStdioGateway(
  scope: Scope,
  options: GatewayOptions,
  hostOptions: HostOptions = {},
): Promise<StdioGateway> {
  return serveStdio(scope, install(scope, options), hostOptions);
}

/** Starts one more spawned gateway of an installation. */
export async function serveStdio(
  scope: Scope,
  installation: Installation,
  hostOptions: HostOptions = {},
): Promise<StdioGateway> {
  const process = startNode(scope, [MCPX, 'serve', '--stdio'], { env: installation.env, rawStdout: true });
  const host = await connectStdioHost(process.child, hostOptions).catch((error: Error) => {
    throw new Error(`${error.message}\n${process.stderr()}`);
  });
  return { ...installation, host, process };
}

export const HOST_TRANSPORTS = ['http', 'stdio'] as const;

/** A gateway and one host on either transport, for tests that hold for both. */
export async function gatewayWithHost(
  scope: Scope,
  transport: (typeof HOST_TRANSPORTS)[number],
  options: GatewayOptions,
  hostOptions: HostOptions = {},
): Promise<Installation & { readonly host: Host; readonly process: Running }> {
  if (transport === 'stdio') return startStdioGateway(scope, options, hostOptions);
  const gateway = await startGateway(scope, options);
  return { ...gateway, host: await gateway.connect(hostOptions) };
}
