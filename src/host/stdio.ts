// Serves one host over a pair of pipes: a message a line (basic/transports, "stdio").
import type { Readable, Writable } from 'node:stream';
import { arrayText } from '../protocol/json-text.ts';
import { type InputLine, LineReader } from '../protocol/line-reader.ts';
import { errorReply, type Parsed, parseFrame, RPC, replyText } from '../protocol/message.ts';
import type { Overlong } from '../protocol/overlong.ts';
import type { JsonText, Request } from '../protocol/types.ts';
import { Backlog } from './backlog.ts';
import {
  faultReply,
  greet,
  longFault,
  NO_BATCHES,
  NO_REVISION,
  NOT_INITIALIZED,
  newSessionId,
  takesBatches,
  tooLong,
} from './handshake.ts';
import type { HostStream } from './host-stream.ts';
import { readInitialize } from './initialize.ts';
import { LegacySession } from './legacy-session.ts';
import { isModernMessage } from './modern/envelope.ts';
import { StdioStateless } from './modern/stdio-stateless.ts';
import type { HostOptions } from './options.ts';

export interface StdioOptions extends HostOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly principal: string;
  /** `frameBytes`: the longest line that is read. */
  readonly limits: { readonly frameBytes: number };
}

/** A host on the other end of the pipes. */
export interface StdioHost {
  /** Resolves once the host is gone, or `close` has ended it, and what was written has been handed over. */
  readonly done: Promise<void>;
  /** Ends the session; `reason` is a sentence. */
  close(reason: string): Promise<void>;
}

/**
 * Serves the host that reads `output` and writes `input`. Requests run concurrently, so that the host's answer to a
 * question can be read while the call that raised it is open (ELI-16). End of input ends the session.
 */
export function serveStdio(options: StdioOptions): StdioHost {
  const pipe = new Pipe(options);
  return {
    done: pipe.done,
    close: (reason) => {
      pipe.close(reason);
      return pipe.done;
    },
  };
}

/** How long a host that does not read may hold up the end; milliseconds. */
const CLOSING = 1_000;

class Pipe implements HostStream {
  readonly done: Promise<void>;
  readonly #options: StdioOptions;
  readonly #stateless: StdioStateless;
  readonly flow: Backlog;
  #session: LegacySession | undefined;
  #closed = false;
  #settle: () => void = () => {};

  constructor(options: StdioOptions) {
    this.#options = options;
    this.flow = new Backlog(options.limits.frameBytes);
    this.#stateless = new StdioStateless(options, this);
    this.done = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const { input, output, limits } = options;
    const lines = new LineReader(limits.frameBytes);
    input.on('data', (chunk: Buffer | string) => {
      this.#take(lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
    });
    const gone = (): void => this.close('The host closed the connection.');
    input.on('end', () => {
      this.#take(lines.end());
      gone();
    });
    for (const event of ['close', 'error']) input.on(event, gone);
    // A host that is gone while something is written to it (EPIPE) is gone, and nothing else.
    for (const event of ['close', 'error']) output.on(event, gone);
    // Small overhangs are let be: a host may well write its next message before it reads the last answer.
    this.flow.onChange(() => {
      if (this.flow.full) input.pause();
      else if (!this.#closed) input.resume();
    });
  }

  get open(): boolean {
    return !this.#closed;
  }

  send(text: JsonText, keep: boolean): boolean {
    if (this.#closed) return false;
    const { output, log } = this.#options;
    if (!keep && !this.flow.hasRoom(output)) return false;
    if (this.flow.isOver(output)) {
      const reason =
        'The host does not read what mcpx sends, and more waits for it than limits.frameBytes allows.';
      log.warn({ waiting: output.writableLength }, reason);
      this.close(reason);
      return false;
    }
    this.flow.write(output, `${text}\n`);
    return true;
  }

  whenRoom(then: () => void): void {
    this.flow.whenRoom(this.#options.output, then);
  }

  close(reason: string): void {
    if (this.#closed) return;
    this.#stateless.close(reason);
    this.#closed = true;
    this.#session?.end(reason);
    const { input, output, clock } = this.#options;
    input.destroy();
    const late = clock.after(CLOSING, this.#settle);
    void this.done.then(() => late.cancel());
    if (output.destroyed || output.errored !== null) this.#settle();
    else output.write('', () => this.#settle());
  }

  #take(lines: Iterable<InputLine>): void {
    for (const line of lines) {
      if (this.#closed) return;
      switch (line.kind) {
        case 'too-long':
          this.#tooLong(line.found);
          break;
        case 'not-utf8':
          this.send(replyText('null', errorReply(RPC.parse, 'A message must be UTF-8.')), true);
          break;
        case 'line':
          void this.#serve(line.text);
          break;
      }
    }
  }

  /** Answers a request, fails the question that a reply is for, and drops a notification (C59). */
  #tooLong({ kind, id }: Overlong): void {
    const reason = tooLong(this.#options.limits.frameBytes);
    this.#options.log.warn(
      { kind, ...(id !== undefined && { id }) },
      `dropped a message of the host: ${reason}`,
    );
    switch (kind) {
      case 'notification':
        return;
      case 'reply':
        this.#session?.takeFault(longFault(id, reason));
        return;
      default:
        this.send(replyText(id ?? 'null', errorReply(RPC.invalidRequest, reason)), true);
    }
  }

  async #serve(text: string): Promise<void> {
    const frame = parseFrame(text);
    if (!frame.batch) {
      const reply = await this.#one(frame.item);
      if (reply !== undefined) this.send(reply, true);
      return;
    }
    const isModern = frame.items.some((item) => item.ok && isModernMessage(item.message));
    if (this.#session === undefined || !takesBatches(this.#session) || isModern) {
      this.send(replyText('null', NO_BATCHES), true);
      return;
    }
    const replies = (await Promise.all(frame.items.map((item) => this.#one(item)))).filter(
      (reply) => reply !== undefined,
    );
    if (replies.length > 0) this.send(arrayText(replies), true);
  }

  async #one(parsed: Parsed): Promise<JsonText | undefined> {
    const session = this.#session;
    if (!parsed.ok) return session?.takeFault(parsed) ? undefined : replyText(parsed.id, faultReply(parsed));
    const { message } = parsed;
    const modern = this.#stateless.served && isModernMessage(message);
    if (message.kind !== 'request') {
      const ours = message.kind === 'notification' && this.#stateless.cancelled(message);
      if (!ours && !modern) session?.take(message);
      return undefined;
    }
    if (modern) {
      const served = await this.#stateless.serve(message);
      if (served !== 'legacy') return served?.text;
    }
    if (session !== undefined) return await session.serve(message, this, true);
    if (message.method === 'ping') return replyText(message.id, { result: '{}' });
    if (message.method !== 'initialize') return replyText(message.id, NOT_INITIALIZED);
    await this.#initialize(message);
    return undefined;
  }

  async #initialize({ id, params }: Request): Promise<void> {
    const { principal, handler, log, serverInfo } = this.#options;
    const facts = readInitialize(params, { principal, transport: 'stdio' });
    if (facts === undefined) {
      this.send(replyText(id, NO_REVISION), true);
      return;
    }
    const stream = (): HostStream => this;
    // The pipe is always open, so nothing has to be kept for later.
    const hold = (): void => {};
    const session = new LegacySession({
      id: newSessionId(),
      facts,
      handler,
      log,
      flow: this.flow,
      streamFor: stream,
      standing: stream,
      keep: hold,
    });
    this.#session = session;
    await greet(session, serverInfo, (reply) => this.send(replyText(id, reply), true));
    if (session.ended.aborted && this.#session === session) this.#session = undefined;
  }
}
