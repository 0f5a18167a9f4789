// A TCP proxy in front of a server, for tests of what networks do: cut connections, time limits on silence.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { testScope } from '../support/scope.ts';

export interface Proxy {
  readonly port: number;
  /** Drops every connection there is. */
  cut(): void;
}

/** Listens in front of `target`; a connection on which nothing comes from the server for `idle` ms is dropped. */
export async function startProxy(target: number, idle?: number): Promise<Proxy> {
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
    if (idle !== undefined) upstream.setTimeout(idle, () => upstream.destroy());
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
