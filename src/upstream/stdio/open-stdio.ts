// Opens a connection to a process of its own: in one era, or in whichever of the two it turns out to speak.
import type { ServerConfig } from '../../config/types.ts';
import { type ChannelDeps, type Greeting, legacyGreeting, openChannel } from '../connection.ts';
import type { Attempt, Found } from '../eras.ts';
import type { Arrivals } from '../inflow.ts';
import { discover } from '../modern/discover.ts';
import type { Connection, ConnectionOptions } from '../types.ts';
import { stdioGreeting } from './stdio-greeting.ts';
import { StdioTransport } from './stdio-transport.ts';

export type StdioConfig = Extract<ServerConfig, { transport: 'stdio' }>;

export async function openStdio(
  config: StdioConfig,
  arrivals: Arrivals,
  { first, fallback, certain }: Attempt,
  found: Found,
  options: ConnectionOptions,
  deps: ChannelDeps,
): Promise<Connection> {
  let exited = false;
  const open = (greeting: Greeting): Promise<Connection> =>
    openChannel(
      {
        http: false,
        greeting,
        connect: (sink) =>
          new StdioTransport(
            {
              ...sink,
              closed(reason) {
                exited = true;
                sink.closed(reason);
              },
            },
            config,
            arrivals,
          ),
      },
      options,
      deps,
    );
  if (!fallback) return open(first === 'modern' ? modernGreeting : legacyGreeting);
  try {
    return await open(stdioGreeting({ first, clock: deps.clock, impatient: !certain, found: found.note }));
  } catch (error) {
    // Some older servers end at a request before initialize; a process that fails to start is started once.
    if (!exited || first === 'legacy' || options.signal.aborted) throw error;
    found.note('modern', false);
    return open(legacyGreeting);
  }
}

export const modernGreeting: Greeting = {
  asks: 'server/discover',
  greet: (engine, _transport, handshake) => discover(engine, handshake),
};
