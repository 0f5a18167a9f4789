// The greeting of an upstream that is taken to be modern.
import type { Greeting } from '../connection.ts';
import { discover } from './discover.ts';

export const modernGreeting: Greeting = {
  asks: 'server/discover',
  greet: (engine, _transport, handshake) => discover(engine, handshake),
};
