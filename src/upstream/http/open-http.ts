// Opens a channel to a URL: Streamable HTTP first, the older HTTP+SSE where that is refused.
import type { Agent } from 'undici';
import type { ServerConfig } from '../../config/types.ts';
import { type ChannelDeps, openChannel } from '../channel.ts';
import type { Channel, ChannelOptions } from '../types.ts';
import { HttpClient, splitHeaders } from './http-client.ts';
import { HttpTransport } from './http-transport.ts';
import { NotOlder, SseTransport } from './sse-transport.ts';

export type HttpConfig = Extract<ServerConfig, { transport: 'http' }>;

/** Statuses after which a server may still speak HTTP+SSE (basic/transports, "Backwards Compatibility"). */
const OLDER = new Set([400, 404, 405]);

export async function openHttp(
  config: HttpConfig,
  agent: Agent,
  frameBytes: number,
  options: ChannelOptions,
  deps: ChannelDeps,
): Promise<Channel> {
  const { headers } = splitHeaders(config.headers);
  const client = new HttpClient(config.name, new URL(config.url), headers, agent, frameBytes);
  let refusedWith = (): number | undefined => undefined;
  const streamable = openChannel(
    (sink) => {
      const transport = new HttpTransport(sink, { client, clock: deps.clock, log: deps.log });
      refusedWith = () => transport.refusedWith;
      return transport;
    },
    options,
    deps,
  );
  try {
    return await streamable;
  } catch (refusal) {
    if (!OLDER.has(refusedWith() ?? 0) || options.signal.aborted) throw refusal;
    try {
      return await openChannel((sink) => new SseTransport(sink, client, deps.clock), options, deps);
    } catch (error) {
      // The older transport was a guess: where it is not there, the first refusal is the one to show.
      throw error instanceof Error && error.cause instanceof NotOlder ? refusal : error;
    }
  }
}
