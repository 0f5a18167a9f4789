// Brokers in processes of their own, called over a pipe.
import { join } from 'node:path';
import type { Broker, Change, Row } from '../../src/broker/types.ts';
import type { Scope } from '../support/create-scope.ts';
import { ROOT, type Running, startNode } from '../support/processes.ts';
import { within } from '../support/until.ts';

const FIXTURES = join(ROOT, 'fixtures', 'broker');

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly cause?: string;
  };
  /** Monotonic milliseconds, comparable between the processes of one machine. */
  readonly at: number;
}

/** A failure as the other process met it. */
export class ActorError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  constructor(error: NonNullable<Reply['error']>) {
    super(error.message, { cause: error.cause });
    this.code = error.code;
    this.hint = error.hint;
  }
}

type Remote = Pick<Broker, 'open' | 'get' | 'list' | 'answer' | 'delivered' | 'settled' | 'awaitDelivery'>;

export interface Actor extends Remote {
  readonly process: Running;
  /** When the last reply was made. */
  lastAt(): number;
  watched(): Promise<boolean>;
  watching(kind: 'tui' | 'watch'): Promise<void>;
  follow(since: number, last: Change['event'], id: string): Promise<Change[]>;
  stall(ms: number): Promise<void>;
  close(reason?: string): Promise<void>;
}

export interface ActorOptions {
  readonly role?: 'gateway' | 'command';
  readonly patience?: { readonly call: number; readonly total: number };
}

/** Starts the process and waits until its broker is open; rejects with ActorError when it cannot be opened. */
export async function startActor(scope: Scope, stateDir: string, options: ActorOptions = {}): Promise<Actor> {
  const args = [join(FIXTURES, 'actor.mjs'), stateDir, options.role ?? 'gateway'];
  if (options.patience) args.push(JSON.stringify(options.patience));
  const running = startNode(scope, args, { rawStdout: true });
  const waiting = new Map<number, (reply: Reply) => void>();
  let rest = '';
  let lastAt = 0;
  running.child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const reply = JSON.parse(line) as Reply;
      lastAt = reply.at;
      waiting.get(reply.id)?.(reply);
      waiting.delete(reply.id);
    }
  });
  let next = 0;
  const reply = (id: number, what: string): Promise<unknown> => {
    const replied = new Promise<unknown>((resolve, reject) => {
      waiting.set(id, ({ result, error }) => (error ? reject(new ActorError(error)) : resolve(result)));
      void running.ended.then((code) => reject(new Error(`ended with ${code}: ${running.stderr()}`)));
    });
    return within(what, replied, 25_000);
  };
  const call = <Result>(method: string, ...given: unknown[]): Promise<Result> => {
    next += 1;
    running.child.stdin.write(`${JSON.stringify({ id: next, method, args: given })}\n`);
    return reply(next, method) as Promise<Result>;
  };
  await reply(0, 'the broker to open');
  return {
    process: running,
    lastAt: () => lastAt,
    open: (row) => call<Row>('open', row),
    get: (id) => call<Row>('get', id),
    list: (filter) => call<Row[]>('list', filter ?? {}),
    answer: (id, answer) => call('answer', id, answer),
    delivered: (id) => call<Row>('delivered', id),
    settled: (id) => call<Row>('settled', id),
    awaitDelivery: (id, ms) => call<Row>('awaitDelivery', id, ms),
    watched: () => call('watched'),
    watching: (kind) => call('watching', kind),
    follow: (since, last, id) => call('follow', since, last, id),
    stall: (ms) => call('stall', ms),
    close: (reason) => call('close', reason),
  };
}

/** Takes the write lock of the store in another process; the returned function gives it back. */
export async function lockStore(scope: Scope, stateDir: string): Promise<() => Promise<void>> {
  const running = startNode(scope, [join(FIXTURES, 'lock.mjs'), join(stateDir, 'mcpx.db')]);
  await running.line((line) => line === 'locked');
  return async () => {
    running.child.stdin.end();
    await running.ended;
  };
}

export function startLone(scope: Scope, ...args: string[]): Running {
  return startNode(scope, [join(FIXTURES, 'lone.mjs'), ...args]);
}
