// Threads for what servers and the configuration wrote (C47). They live outside src/form, which is pure: starting,
// timing and ending a thread is work at the edge. Nothing is started before something needs it, and an idle thread ends.
import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '../clock.ts';
import type { Job } from '../form/checks.ts';
import type { FromWorker } from './worker.ts';

/** Milliseconds that one job may run; the checks inside stop sooner and say what was slow. */
const BUDGET = 4_000;
/** Milliseconds for a thread to start, on a machine that is busy with other things. */
const START = 30_000;
/** Milliseconds after which a thread that has nothing to do ends. */
const IDLE = 30_000;
/** At least two, so that one asker's work leaves room for another's. */
const THREADS = 2;
/** MiB; a schema that wants more costs too much, whatever time it takes. */
const HEAP = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 };

/** What became of a job: its value, or that it took more than it may have. */
export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

interface Waiting {
  readonly job: Job;
  readonly resolve: (outcome: Outcome) => void;
}

interface Thread {
  readonly worker: Worker;
  /** Ends the thread: its job took too long, or there has been none for long. */
  timer: Timer | undefined;
  ready: boolean;
  current: { readonly asker: string; readonly waiting: Waiting } | undefined;
}

/** Runs jobs by asker, fairly, each within a budget that starts when the job does. */
export class Threads {
  readonly #clock: Clock;
  readonly #queue = new FairQueue<Waiting>();
  readonly #threads = new Set<Thread>();
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Never rejects. Not ok when the job took too much time or memory, failed, or `close` came first. */
  run(asker: string, job: Job): Promise<Outcome> {
    if (this.#closed) return Promise.resolve({ ok: false });
    return new Promise((resolve) => {
      this.#queue.push(asker, { job, resolve });
      this.#serve();
    });
  }

  /** Ends all threads; what waits or runs is not ok. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { resolve } of this.#queue.drain()) resolve({ ok: false });
    await Promise.all(
      [...this.#threads].map((thread) => {
        this.#finish(thread, { ok: false });
        return this.#end(thread);
      }),
    );
  }

  #serve(): void {
    for (;;) {
      const idle = [...this.#threads].find(({ current }) => current === undefined);
      const busy = [...this.#threads].filter(({ current }) => current !== undefined).length;
      const free = THREADS - busy;
      const next = free > 0 ? this.#queue.take(free) : undefined;
      if (next === undefined) return;
      const thread = idle ?? this.#start();
      thread.current = { asker: next.asker, waiting: next.item };
      thread.worker.ref();
      if (thread.ready) this.#post(thread);
    }
  }

  #start(): Thread {
    const worker = new Worker(ENTRY, {
      resourceLimits: HEAP,
      env: {},
      execArgv: [],
      stdin: false,
      // What is printed there, such as a warning of node's own, would land in the middle of a protocol.
      stdout: true,
      stderr: true,
    });
    const thread: Thread = { worker, timer: undefined, ready: false, current: undefined };
    this.#threads.add(thread);
    this.#limit(thread, START);
    worker.on('message', (message: FromWorker) => {
      if (message.ready) {
        thread.ready = true;
        thread.timer?.cancel();
        if (thread.current) this.#post(thread);
        return;
      }
      this.#finish(thread, message.done ? { ok: true, value: message.value } : { ok: false });
      this.#serve();
    });
    // Out of memory, or no thread could be started.
    worker.on('error', () => this.#lose(thread));
    worker.on('messageerror', () => this.#lose(thread));
    worker.on('exit', () => this.#lose(thread));
    return thread;
  }

  #post(thread: Thread): void {
    if (!thread.current) return;
    const { current } = thread;
    thread.timer?.cancel();
    // When this thread itself was held up, the reply may lie there already: it is read first.
    const late = (): void => void setImmediate(() => thread.current === current && this.#lose(thread));
    thread.timer = this.#clock.after(BUDGET, late);
    thread.worker.postMessage(current.waiting.job);
  }

  #limit(thread: Thread, ms: number): void {
    thread.timer?.cancel();
    thread.timer = this.#clock.after(ms, () => this.#lose(thread));
  }

  /** The thread is free again. */
  #finish(thread: Thread, outcome: Outcome): void {
    const { current } = thread;
    thread.current = undefined;
    if (current) {
      this.#queue.release(current.asker, !outcome.ok);
      current.waiting.resolve(outcome);
    }
    thread.worker.unref();
    this.#limit(thread, IDLE);
  }

  #lose(thread: Thread): void {
    if (!this.#threads.has(thread)) return;
    this.#finish(thread, { ok: false });
    void this.#end(thread);
    this.#serve();
  }

  async #end(thread: Thread): Promise<void> {
    this.#threads.delete(thread);
    thread.timer?.cancel();
    await thread.worker.terminate();
  }
}

/** Tests run the sources, and Node 20 starts no thread from TypeScript: there it is the built one. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/checks/worker.js' : './worker.js',
  import.meta.url,
);

/** How many of its askers' names a queue remembers as slow. */
const MOST_SLOW = 1_000;

/** Work by asker. Knows nothing of what the work is. */
export class FairQueue<T> {
  /** In the order of their turns: an asker goes to the end when it is served. */
  readonly #waiting = new Map<string, T[]>();
  readonly #running = new Set<string>();
  readonly #slow = new Set<string>();

  push(asker: string, item: T): void {
    const line = this.#waiting.get(asker);
    if (line) line.push(item);
    else this.#waiting.set(asker, [item]);
  }

  /**
   * The next piece of work, its asker counted as running until `release`. With `spare` places that are free, the last
   * of them is never given to an asker that ran out of time before: the others find one.
   */
  take(spare: number): { readonly asker: string; readonly item: T } | undefined {
    let chosen: string | undefined;
    for (const asker of this.#waiting.keys()) {
      if (this.#running.has(asker)) continue;
      if (!this.#slow.has(asker)) {
        chosen = asker;
        break;
      }
      if (spare > 1) chosen ??= asker;
    }
    if (chosen === undefined) return undefined;
    const line = this.#waiting.get(chosen) ?? [];
    const item = line.shift();
    this.#waiting.delete(chosen);
    if (line.length > 0) this.#waiting.set(chosen, line);
    if (item === undefined) return undefined;
    this.#running.add(chosen);
    return { asker: chosen, item };
  }

  /** The work of an asker is over; `late` when it ran out of time. */
  release(asker: string, late: boolean): void {
    this.#running.delete(asker);
    this.#slow.delete(asker);
    if (!late) return;
    if (this.#slow.size >= MOST_SLOW) this.#slow.clear();
    this.#slow.add(asker);
  }

  /** Everything that waits, taken out. */
  drain(): T[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    return all;
  }
}
