// Runs the inbox on a terminal until the person leaves or the signal comes.
import type { Drafts } from '../broker/drafts.ts';
import { type Clock, steadyClock, systemClock } from '../clock.ts';
import type { FormChecks } from '../form/checks.ts';
import type { Env } from '../terminal/facts.ts';
import type { Glyphs } from '../terminal/glyphs.ts';
import { editText } from './editor.ts';
import { type Outside, perform } from './effects.ts';
import { feed } from './feed.ts';
import { followJobs } from './jobs.ts';
import { keepDrafts } from './keep-drafts.ts';
import { RESTORE_TITLE, SAVE_TITLE, title } from './modes.ts';
import type { RowSource } from './row-source.ts';
import { rowsOf } from './state/rows.ts';
import type { Selection, Size, State } from './state/types.ts';
import { makeStore, type StateStore } from './state-store.ts';
import { COLORED, PLAIN } from './theme.ts';

export interface TuiOptions {
  readonly source: RowSource;
  readonly checks: FormChecks;
  /** Where drafts are kept between two runs; without, they go with this one. */
  readonly drafts?: Drafts;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly env: Env;
  readonly clock?: Clock;
  readonly glyphs: Glyphs;
  readonly color: boolean;
  /** Rings and notifies on new questions. */
  readonly bell: boolean;
  /** Opens a URL that a person has consented to; rejects with McpxError when that fails. */
  readonly openUrl: (url: string) => Promise<void>;
  /** Ends the UI; questions stay as they are (C39). */
  readonly signal: AbortSignal;
}

/** How often times on the screen move. */
const TICK_MS = 1_000;

export interface RunningTui {
  /** What is on the screen, or will be at the next drawing. */
  state(): State;
  /** Resolves when the terminal is as it was before: `interrupted` when the person left with Ctrl+C. */
  readonly done: Promise<{ readonly interrupted: boolean }>;
}

/** Takes the terminal and shows the inbox on it. */
export async function startTui(options: TuiOptions): Promise<RunningTui> {
  const { source, stdin, stdout, clock = systemClock, signal, glyphs } = options;
  const steady = steadyClock(clock);
  const { InkScreen } = await loadInk();
  const ending = new AbortController();
  const ended = AbortSignal.any([signal, ending.signal]);
  let interrupted = false;
  let crash: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    crash ??= { error };
    ending.abort();
  };
  const first = initialState({
    size: { columns: stdout.columns, rows: stdout.rows },
    now: steady.now(),
    glyphs,
    from: source.name,
  });
  const store = makeStore(first, steady, (effect) => {
    perform(effect, outside, store.dispatch).catch(fail);
  });
  const theme = options.color ? COLORED : PLAIN;
  const screen = new InkScreen({ stdin, stdout, store, theme, clock, onCrash: fail });
  const jobs = followJobs(screen, stdin, 1);
  const outside: Outside = {
    ...options,
    clock: steady,
    write: (text) => void stdout.write(text),
    async edit(text, kind) {
      screen.unmount();
      try {
        return await editText(text, kind, options.env);
      } finally {
        if (!ended.aborted) screen.mount();
      }
    },
    suspend: jobs.suspend,
    quit(byInterrupt) {
      interrupted = byInterrupt;
      ending.abort();
    },
  };
  const keeping = options.drafts === undefined ? undefined : await keepDrafts(store, options.drafts);
  const run = async (): Promise<{ readonly interrupted: boolean }> => {
    try {
      stdout.write(SAVE_TITLE);
      screen.mount();
      const stops = [followTitle(store, stdout), tick(store, steady)];
      source.watching(ended);
      const feeding = feed(source, store.dispatch, clock, steady, ended).catch(fail);
      await aborted(ended);
      for (const stop of stops) stop();
      await feeding;
    } finally {
      await keeping?.close();
      screen.unmount();
      stdout.write(RESTORE_TITLE);
      jobs.close();
    }
    if (crash !== undefined) throw crash.error;
    return { interrupted };
  };
  return { state: store.state, done: run() };
}

/** The window's title carries the number of open questions. */
function followTitle(store: StateStore, stdout: NodeJS.WriteStream): () => void {
  let told = -1;
  const tell = (): void => {
    const open = rowsOf(store.state(), 'open').length;
    if (open === told) return;
    told = open;
    stdout.write(title(open === 0 ? 'mcpx' : `(${open}) mcpx`));
  };
  tell();
  return store.subscribe(tell);
}

function tick(store: StateStore, clock: Clock): () => void {
  let timer = clock.after(TICK_MS, step);
  function step(): void {
    timer = clock.after(TICK_MS, step);
    store.dispatch({ type: 'tick', at: clock.now() });
  }
  return () => timer.cancel();
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

type InkScreen = typeof import('./InkScreen.tsx');

/**
 * Ink's drawing. With CI set Ink would draw nothing until the end, also on a terminal with a person before it (C29),
 * so that it is loaded without.
 */
export async function loadInk(): Promise<InkScreen> {
  const kept = ['CI', 'CONTINUOUS_INTEGRATION'].map((name) => [name, process.env[name]] as const);
  for (const [name] of kept) delete process.env[name];
  try {
    return await import('./InkScreen.tsx');
  } finally {
    for (const [name, value] of kept) if (value !== undefined) process.env[name] = value;
  }
}

const NOTHING: Selection = { id: undefined, index: 0, since: 0 };

export function initialState(facts: {
  readonly size: Size;
  /** Of a clock that does not jump, and begins at the wall time. */
  readonly now: number;
  readonly glyphs: Glyphs;
  readonly from: string;
}): State {
  return {
    ...facts,
    offset: 0,
    rows: new Map(),
    loaded: false,
    tab: 'open',
    selection: { open: NOTHING, answered: NOTHING },
    open: undefined,
    questions: new Map(),
    drafts: undefined,
    help: false,
    helpTop: 0,
    notice: undefined,
    trouble: undefined,
    leaving: false,
  };
}
