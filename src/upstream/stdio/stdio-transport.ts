// One server process: frames are lines on its stdin and stdout, in a process group of its own.
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import spawn from 'cross-spawn';
import type { ServerConfig } from '../../config/types.ts';
import { McpxError } from '../../errors.ts';
import { type InputLine, LineReader } from '../../protocol/line-reader.ts';
import { FAR_TOO_LONG } from '../../protocol/overlong.ts';
import { inert } from '../../text/inert.ts';
import { type Arrivals, Inflow } from '../inflow.ts';
import type { Outgoing, Sink, Source, Transport } from '../transport.ts';
import type { Regulation } from '../types.ts';
import { endGroup } from './process-group.ts';

/** After the process is gone, how long its pipes may still deliver what it wrote, in milliseconds. */
const DRAIN_MS = 500;

/** One pipe serves every request, so nothing on it can be traced to a request: there is never an origin. */
const PIPE: Source = { origin: undefined, scope: 'pipe', replayed: false, repliesTo: 'all' };

export type StdioConfig = Extract<ServerConfig, { transport: 'stdio' }>;

export class StdioTransport implements Transport {
  readonly #sink: Sink;
  readonly #config: StdioConfig;
  readonly #frameBytes: number;
  readonly #stderr = new StderrTail();
  readonly #inflow: Inflow;
  #frameEnded = (): void => {};
  #child: ChildProcess | undefined;
  #ending: Promise<void> | undefined;

  constructor(sink: Sink, config: StdioConfig, arrivals: Arrivals) {
    this.#sink = sink;
    this.#config = config;
    this.#frameBytes = arrivals.frameBytes;
    this.#inflow = new Inflow(arrivals);
  }

  start(): Promise<void> {
    const { command, args, env, cwd } = this.#config;
    const child = spawn(command, [...args], {
      cwd,
      env: environmentFor(env),
      stdio: 'pipe',
      // A group of its own, so that it can be ended whole, and so that Ctrl-C in mcpx's terminal is not sent to it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    const lines = new LineReader(this.#frameBytes);
    child.stdout?.on('data', (chunk: Buffer) => {
      // While it is being ended its output is still read, so that a full pipe does not keep it from leaving.
      if (this.#ending === undefined) this.#take(lines.push(chunk));
    });
    child.stdout?.on('end', () => {
      this.#take(lines.end());
      // Closing its output is one way for a server to leave; mostly the exit follows at once and says more.
      setTimeout(() => this.#closed('it closed its output'), DRAIN_MS).unref();
    });
    if (child.stdout !== null) this.#frameEnded = this.#inflow.add(child.stdout, undefined);
    child.stderr?.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      // EPIPE and the like: the write that failed says so itself, and the exit follows.
      stream?.on('error', () => {});
    }
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.on('error', (error) => reject(this.#startError(error)));
      child.once('exit', (code, signal) => this.#exited(child, code, signal));
    });
  }

  send(text: string, _what: Outgoing): Promise<void> {
    const stdin = this.#child?.stdin;
    return new Promise((resolve, reject) => {
      if (stdin?.writable !== true) {
        reject(new McpxError('upstream', `${this.#config.name}: its input is closed`));
      } else if (stdin.writableLength > this.#frameBytes) {
        // It has stopped reading; what piles up here is mcpx's own memory.
        reject(new McpxError('upstream', `${this.#config.name}: it does not read its input`));
      } else {
        stdin.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
      }
    });
  }

  abandon(): void {}

  agreed(): void {}

  async ready(): Promise<void> {}

  regulate(regulation: Regulation): void {
    if (this.#ending === undefined) this.#inflow.regulate(regulation);
  }

  stderrTail(): string {
    return this.#stderr.text();
  }

  close(): Promise<void> {
    const child = this.#child;
    this.#ending ??= child === undefined ? Promise.resolve() : endGroup(child);
    this.#inflow.release();
    return this.#ending;
  }

  /** It ended by itself: its last output is read first, then what it may have left running is ended. */
  #exited(child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void {
    const how =
      signal === null ? `the process exited with code ${code}` : `the process was ended by ${signal}`;
    const drained = setTimeout(() => end(), DRAIN_MS);
    const end = (): void => {
      clearTimeout(drained);
      child.removeListener('close', end);
      const last = this.#stderr.lastLine();
      this.#closed(last === '' ? how : `${how}: ${last}`);
    };
    // A process it left behind may hold the pipes open for good; then "close" never comes.
    child.once('close', end);
  }

  #closed(reason: string): void {
    if (this.#ending !== undefined) return;
    void this.close();
    this.#sink.closed(reason);
  }

  #take(lines: Iterable<InputLine>): void {
    for (const line of lines) {
      this.#frameEnded();
      // A program's noise may be in any encoding; what is wrong in a message shows in its text.
      if (line.kind !== 'too-long') this.#sink.receive(line.text, PIPE);
      else if (!line.hopeless) this.#sink.overlong(line.found, this.#frameBytes, PIPE);
      else
        this.#closed(
          `it sent a line longer than ${FAR_TOO_LONG} times limits.frameBytes (${this.#frameBytes} bytes)`,
        );
    }
  }

  #startError(error: NodeJS.ErrnoException): McpxError {
    const { name, command, cwd } = this.#config;
    if (!existsSync(cwd)) {
      return new McpxError(
        'unreachable',
        `${name}: the folder ${cwd} does not exist`,
        `Fix "cwd" under mcpServers.${name}.`,
        { cause: error },
      );
    }
    const what = error.code === 'ENOENT' ? 'there is no such command' : error.message;
    return new McpxError(
      'unreachable',
      `${name}: cannot start ${JSON.stringify(command)}: ${what}`,
      `Fix "command" under mcpServers.${name}, or install it; PATH is passed on to it.`,
      { cause: error },
    );
  }
}

const POSIX = 'HOME LOGNAME PATH SHELL TERM USER';
const WINDOWS =
  'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES ' +
  'PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE WINDIR';

/** mcpx's own secrets stay its own: a server sees the same names as under the official SDKs, and `configured`. */
export function environmentFor(
  configured: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of (process.platform === 'win32' ? WINDOWS : POSIX).split(' ')) {
    const value = own[name];
    // A value that begins so is a function exported by a shell.
    if (value !== undefined && !value.startsWith('()')) env[name] = value;
  }
  return { ...env, ...configured };
}

const KEPT_BYTES = 8192;
const SHOWN_LINES = 20;
const SHOWN_CHARACTERS = 300;

export class StderrTail {
  #kept: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    const joined = chunk.length >= KEPT_BYTES ? chunk : Buffer.concat([this.#kept, chunk]);
    // A copy, so that a large chunk is not held by the small piece of it that is kept.
    this.#kept = joined.length > KEPT_BYTES ? Buffer.from(joined.subarray(-KEPT_BYTES)) : joined;
  }

  /** Up to 20 lines without control characters, each cut at 300 characters; `''` when there are none. */
  text(): string {
    return this.#lines().slice(-SHOWN_LINES).join('\n');
  }

  lastLine(): string {
    return this.#lines().at(-1) ?? '';
  }

  #lines(): string[] {
    return this.#kept
      .toString('utf8')
      .split(/[\r\n]+/)
      .map((line) => inert(line, { oneLine: true, max: SHOWN_CHARACTERS }))
      .filter((line) => line !== '');
  }
}
