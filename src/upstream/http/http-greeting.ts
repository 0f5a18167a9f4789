// server/discover over HTTP: what a status, a body or silence says about the era of the server.
import type { Clock } from '../../clock.ts';
import { messageOf } from '../../errors.ts';
import type { Greeting } from '../connection.ts';
import { discover, NotModern } from '../modern/discover.ts';
import { isAccess } from './http-error.ts';

/** How long a server may leave server/discover without an answer before it is taken for one that knows no such thing. */
const SILENCE_MS = 10_000;

/** `refusedWith` gives the status of a response that was no reply. */
export function httpGreeting(server: string, clock: Clock, refusedWith: () => number | undefined): Greeting {
  return {
    asks: 'server/discover',
    async greet(engine, _transport, handshake) {
      const patience = new AbortController();
      const timer = clock.after(SILENCE_MS, () =>
        patience.abort(new NotModern(server, 'no answer to server/discover', true)),
      );
      const signal = AbortSignal.any([handshake.signal, patience.signal]);
      try {
        return await discover(engine, { ...handshake, signal });
      } catch (error) {
        const status = refusedWith();
        if (error instanceof NotModern || status === undefined || isAccess(status)) throw error;
        throw new NotModern(server, messageOf(error));
      } finally {
        timer.cancel();
      }
    },
  };
}
