// The peers of the matrix: one upstream of each kind behind every gateway, one gateway per host on stdio and one for all of HTTP.
import type { Scope } from '../support/create-scope.ts';
import { install, serveHttp, serveStdio } from '../support/gateway.ts';
import type { Question, RawReply, WireEntry } from '../support/host.ts';
import type { ModernHost, Respond } from '../support/modern-host.ts';
import { modernHttpHost } from '../support/modern-host-http.ts';
import { modernStdioHost } from '../support/modern-host-stdio.ts';
import { type RowBook, rowBook } from '../support/row-book.ts';
import { type FixtureUpstream, fixtureUpstream } from '../support/upstream.ts';
import { type Cell, HOSTS, type HostRevision, TRANSPORTS, type Transport, UPSTREAMS } from './table.ts';

/** What a host of any era is shown, and what it answers: raw JSON, once it decides to. */
export interface Shown {
  readonly method: string;
  readonly params: Record<string, unknown>;
}
export type Show = (shown: Shown) => Promise<string>;

/** A host of either era as a cell uses it. */
export interface CellHost {
  readonly revision: HostRevision;
  readonly wire: readonly WireEntry[];
  /** Calls a tool, through all rounds; whatever it is asked meanwhile goes to the show of its mark. */
  call(tool: string, args: unknown): Promise<RawReply>;
}

export interface Peers {
  readonly book: RowBook;
  host(of: Pick<Cell, 'host' | 'hostTransport'>): CellHost;
  readonly upstreams: ReadonlyMap<string, FixtureUpstream>;
  /** Who is shown the questions with this mark. */
  readonly shows: Map<string, Show>;
}

/** Everything that a host of this revision can declare. */
const CAPABILITIES: Readonly<Record<HostRevision, string>> = {
  '2024-11-05': '{}',
  '2025-03-26': '{}',
  '2025-06-18': '{"elicitation":{}}',
  '2025-11-25': '{"elicitation":{"form":{},"url":{}}}',
  '2026-07-28': '{"elicitation":{"form":{},"url":{}}}',
};

/** The key of an upstream in the config. */
export function serverOf({
  upstream,
  upstreamTransport,
}: Pick<Cell, 'upstream' | 'upstreamTransport'>): string {
  return `${upstreamTransport}-${upstream}`;
}

const hostKey = (host: HostRevision, transport: Transport): string => `${host} ${transport}`;

/** Starts everything; all gateways share one state directory, which the book follows. */
export async function startPeers(scope: Scope): Promise<Peers> {
  const upstreams = new Map<string, FixtureUpstream>();
  for (const upstream of UPSTREAMS)
    for (const upstreamTransport of TRANSPORTS)
      upstreams.set(
        serverOf({ upstream, upstreamTransport }),
        await fixtureUpstream(scope, { transport: upstreamTransport, revision: upstream }),
      );
  const servers = Object.fromEntries([...upstreams].map(([name, { entry }]) => [name, entry]));
  const installation = install(scope, { servers });
  const shows = new Map<string, Show>();
  const show: Show = (shown) => {
    const found = [...shows].find(([mark]) => String(shown.params['message']).includes(`[${mark}]`));
    if (!found) throw new Error(`a question of nobody's: ${JSON.stringify(shown)}`);
    return found[1](shown);
  };
  const http = await serveHttp(scope, installation);
  const book = await rowBook(scope, installation.stateDir);
  const hosts = new Map<string, CellHost>();
  // One after the other: each gateway on stdio starts upstreams of its own, and a busy machine has to start them all.
  for (const revision of HOSTS)
    for (const transport of TRANSPORTS)
      hosts.set(hostKey(revision, transport), await startHost(revision, transport));

  async function startHost(revision: HostRevision, transport: Transport): Promise<CellHost> {
    const capabilities = CAPABILITIES[revision];
    if (revision === '2026-07-28') {
      if (transport === 'http') return modern(modernHttpHost(http.url, { capabilities }), show);
      const { pipes } = installation.start(['serve', '--stdio'], {}, true);
      return modern(modernStdioHost(pipes, { capabilities }), show);
    }
    const answer = async (question: Question): Promise<RawReply> => {
      const params = JSON.parse(question.params ?? '{}') as Record<string, unknown>;
      return { result: await show({ method: question.method, params }) };
    };
    const options = { revision, capabilities, answer };
    const host =
      transport === 'http' ? await http.connect(options) : (await serveStdio(installation, options)).host;
    return { revision, wire: host.wire, call: (tool, args) => host.startCall(tool, args).reply };
  }

  return {
    book,
    upstreams,
    shows,
    host({ host, hostTransport }) {
      const found = hosts.get(hostKey(host, hostTransport));
      if (!found) throw new Error(`no host ${host} over ${hostTransport}`);
      return found;
    },
  };
}

function modern(host: ModernHost, show: Show): CellHost {
  const respond: Respond = ({ method, params }) => show({ method, params });
  return {
    revision: host.revision,
    wire: host.wire,
    call: (tool, args) => host.through(tool, args, respond),
  };
}
