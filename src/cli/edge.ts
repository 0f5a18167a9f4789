// What the process gives to a command: streams, environment, time and signals. Tests pass their own.
import { homedir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { type Clock, systemClock } from '../clock.ts';
import type { Env } from '../terminal/facts.ts';

export type SignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** 128 + the number of the signal, as shells report it. */
export const SIGNAL_EXITS: Readonly<Record<SignalName, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

export interface Edge {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { isTTY?: boolean; columns?: number; rows?: number };
  readonly stderr: Writable & { isTTY?: boolean; columns?: number; rows?: number };
  readonly env: Env;
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  /** Returns the function that stops listening. */
  onSignal(listener: (signal: SignalName) => void): () => void;
  /** Ends the process at once; used for the second signal only. */
  exit(code: number): void;
}

/** The process that runs this. */
export function processEdge(): Edge {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    platform: process.platform,
    clock: systemClock,
    onSignal(listener) {
      const names: readonly SignalName[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
      const handlers = names.map((name) => ({ name, handle: () => listener(name) }));
      for (const { name, handle } of handlers) process.on(name, handle);
      return () => {
        for (const { name, handle } of handlers) process.off(name, handle);
      };
    },
    exit: (code) => process.exit(code),
  };
}
