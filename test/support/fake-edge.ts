// The outside of a command that runs in this process: what it prints, and signals on demand.
import { PassThrough, Writable } from 'node:stream';
import type { Edge, SignalName } from '../../src/cli/edge.ts';
import { fakeClock } from './fake-clock.ts';

export interface FakeEdge extends Edge {
  readonly stdin: PassThrough & { isTTY?: boolean };
  out(): string;
  err(): string;
  raise(name: SignalName): void;
  /** What a second signal ended the process with. */
  readonly exits: readonly number[];
}

export interface FakeEdgeOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly home?: string;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly stdout?: Writable;
}

export function fakeEdge(options: FakeEdgeOptions = {}): FakeEdge {
  const isTTY = options.isTTY ?? false;
  const [stdout, out] = sink(options.stdout);
  const [stderr, err] = sink();
  const listeners = new Set<(name: SignalName) => void>();
  const exits: number[] = [];
  const size = isTTY ? { isTTY, columns: options.columns ?? 80, rows: 24 } : {};
  return {
    stdin: Object.assign(new PassThrough(), isTTY ? { isTTY } : {}),
    stdout: Object.assign(stdout, size),
    stderr: Object.assign(stderr, size),
    env: { LANG: 'C.UTF-8', ...options.env },
    cwd: options.cwd ?? '/nowhere',
    home: options.home ?? '/nowhere/home',
    platform: 'linux',
    clock: fakeClock(),
    onSignal(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    exit: (code) => exits.push(code),
    out,
    err,
    raise(name) {
      for (const listener of listeners) listener(name);
    },
    exits,
  };
}

function sink(given?: Writable): [Writable, () => string] {
  let text = '';
  const writable =
    given ??
    new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk);
        done();
      },
    });
  return [writable, () => text];
}
