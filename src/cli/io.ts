// What a command works with: the streams, how to print, and the flags that say how.
import type { Command } from 'commander';
import type { Clock } from '../clock.ts';
import { makeStyle, type Style, wantsColor } from '../terminal/color.ts';
import { canAsk, type Env, type TerminalFacts, terminalFacts, wantsPlain } from '../terminal/facts.ts';
import { type Glyphs, glyphs } from '../terminal/glyphs.ts';
import type { Edge } from './edge.ts';
import type { Globals } from './globals.ts';
import type { Interrupt } from './interrupt.ts';
import type { Output } from './output.ts';

export interface Io {
  readonly globals: Globals;
  readonly env: Env;
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly stdin: Edge['stdin'];
  /** The raw streams, for what draws by itself (prompts on stderr, the TUI, `serve --stdio`). */
  readonly rawStdout: Edge['stdout'];
  readonly rawStderr: Edge['stderr'];
  readonly stdout: Output;
  readonly stderr: Output;
  readonly terminal: TerminalFacts;
  /** A person can be asked here, and may be: a terminal, and no `--no-input`. */
  readonly canAsk: boolean;
  /** Questions are asked in plain lines that are never redrawn: ACCESSIBLE is set, or TERM=dumb. */
  readonly plain: boolean;
  readonly clock: Clock;
  /** Aborted by SIGINT, SIGTERM, SIGHUP, and when the reader of stdout has gone. A command that waits must end then. */
  readonly signal: AbortSignal;
  /** For a command that has something to say before Ctrl+C ends it. */
  readonly interrupt: Interrupt;
  /** Styles for stdout and stderr; they return the text itself when colour is off. */
  readonly style: Style;
  readonly errorStyle: Style;
  readonly glyphs: Glyphs;
  /** A line on stdout. Untrusted text in it must have gone through `inert`. */
  printLine(text: string): Promise<void>;
  /** JSON text on stdout, on one line, never coloured. */
  printJson(json: string): Promise<void>;
  /** A line on stderr for a person; left out with `--quiet`. */
  note(text: string): Promise<void>;
}

/** What the builder of a command is given. */
export interface Cli {
  /** The Io of the command that runs. */
  io(command: Command): Io;
}

// Beyond the C0 controls, which JSON escapes itself: C1, DEL, and what draws nothing or turns the direction.
const UNSEEN = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The same JSON with everything that a terminal obeys or an eye misses as `\u…` (C57). */
export function visibleJson(json: string): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // All of them stand inside strings: JSON has no such character outside of them.
  return json.replace(UNSEEN, (found) => found.split('').map(escaped).join(''));
}

/** Puts an Io together from what the process gives and what the person typed. */
export function makeIo(parts: {
  readonly edge: Edge;
  readonly globals: Globals;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly signal: AbortSignal;
  readonly interrupt: Interrupt;
}): Io {
  const { edge, globals, stdout, stderr, signal, interrupt } = parts;
  const terminal = terminalFacts(edge, edge.env, edge.platform);
  const plain = terminal.dumb || wantsPlain(edge.env);
  const styleFor = (isTTY: boolean) =>
    makeStyle(!plain && wantsColor({ flag: globals.color, env: edge.env, isTTY }));
  return {
    globals,
    env: edge.env,
    cwd: edge.cwd,
    home: edge.home,
    platform: edge.platform,
    stdin: edge.stdin,
    rawStdout: edge.stdout,
    rawStderr: edge.stderr,
    stdout,
    stderr,
    terminal,
    canAsk: canAsk(terminal) && !globals.noInput,
    plain,
    clock: edge.clock,
    signal,
    interrupt,
    style: styleFor(terminal.stdout),
    errorStyle: styleFor(terminal.stderr),
    glyphs: glyphs(terminal.unicode),
    printLine: (text) => stdout.write(`${text}\n`),
    printJson: (json) => stdout.write(`${terminal.stdout ? visibleJson(json) : json}\n`),
    note: (text) => (globals.quiet ? Promise.resolve() : stderr.write(`${text}\n`)),
  };
}
