// What is known about the terminal, read once from the streams and the environment.

export type Env = Readonly<Record<string, string | undefined>>;

export interface TerminalFacts {
  /** Which of the standard streams are terminals. */
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  /** Size of the terminal on stdout, or on stderr; `undefined` when neither is one. */
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  /** No cursor movement: TERM=dumb. */
  readonly dumb: boolean;
  readonly ci: boolean;
  /** Box drawing and ticks can be shown. */
  readonly unicode: boolean;
}

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** Reads the facts; nothing is written to the terminal to find them out. */
export function terminalFacts(
  streams: { readonly stdin: Stream; readonly stdout: Stream; readonly stderr: Stream },
  env: Env,
  platform: NodeJS.Platform,
): TerminalFacts {
  const sized = [streams.stdout, streams.stderr].find((stream) => stream.isTTY === true);
  return {
    stdin: streams.stdin.isTTY === true,
    stdout: streams.stdout.isTTY === true,
    stderr: streams.stderr.isTTY === true,
    columns: sized?.columns || undefined,
    rows: sized?.rows || undefined,
    dumb: env['TERM'] === 'dumb',
    ci: isSet(env['CI']),
    unicode: supportsUnicode(env, platform),
  };
}

/** True when a person can be asked on this terminal: keys come in, and prompts on stderr are seen (C29). */
export function canAsk(facts: TerminalFacts): boolean {
  return facts.stdin && facts.stderr;
}

/** True when a full-screen program can run here. */
export function canDraw(facts: TerminalFacts): boolean {
  return facts.stdin && facts.stdout && !facts.dumb;
}

/** Whoever reads with a screen reader has often said so already, to other programs. */
export function wantsPlain(env: Env): boolean {
  return isSet(env['ACCESSIBLE']) || isSet(env['INK_SCREEN_READER']);
}

function supportsUnicode(env: Env, platform: NodeJS.Platform): boolean {
  // The Linux console has a font of 256 or 512 glyphs.
  if (env['TERM'] === 'linux' || env['TERM'] === 'dumb') return false;
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  if (platform === 'win32') {
    return isSet(env['WT_SESSION']) || isSet(env['TERM_PROGRAM']) || /^xterm/.test(env['TERM'] ?? '');
  }
  // macOS terminals are UTF-8 also where no locale is exported.
  if (!locale) return platform === 'darwin';
  return /utf-?8/i.test(locale);
}

/** An environment switch: set, and not set to "no". */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}
