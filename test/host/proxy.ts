// A TCP proxy in front of a server, for tests of what networks do: cut connections, time limits on silence.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Clock, Timer } from '../../src/clock.ts';
import { testScope } from '../support/scope.ts';

export interface Proxy {
  readonly port: number;
  /** Drops every connection there is. */
  cut(): void;
}

/** How long the server may say nothing before its connection is dropped, in milliseconds of `clock`. */
export interface Patience {
  readonly clock: Clock;
  readonly idle: number;
}

/** Listens in front of `target`. */
export async function startProxy(target: number, patience?: Patience): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    if (patience === undefined) return;
    const arm = (): Timer => patience.clock.after(patience.idle, () => upstream.destroy());
    let timer = arm();
    upstream.on('data', () => {
      timer.cancel();
      timer = arm();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  testScope().defer(() => {
    cut();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, cut };
}
