// A raw wire-level MCP host: every text it sends is written here, every text it gets is kept; answers come from the test.
import { slice } from '../../fixtures/upstream/json-slice.mjs';
import { within } from './until.ts';

/** One message on the wire between host and gateway; `dir` as the host sees it. */
export interface WireEntry {
  readonly dir: 'out' | 'in';
  readonly text: string;
  readonly at: number;
}

/** The raw text of a result or of an error object. */
export type RawReply = { readonly result: string } | { readonly error: string };

/** A request the gateway sent to this host. */
export interface Question {
  /** Raw JSON text. */
  readonly id: string;
  readonly method: string;
  readonly params: string | undefined;
  readonly text: string;
}

/** Answers a request of the gateway; undefined leaves it unanswered. */
export type Answerer = (question: Question) => RawReply | undefined | Promise<RawReply | undefined>;

export interface HostOptions {
  readonly revision?: string;
  /** Raw JSON text of the `capabilities` that the host declares. */
  readonly capabilities?: string;
  readonly name?: string;
  readonly answer?: Answerer;
}

/** How texts get to the gateway. */
export interface Link {
  /** Sends one message; rejects when the gateway does not take it. */
  send(text: string): Promise<void>;
  close(): Promise<void>;
}

export interface Started {
  readonly id: string;
  readonly reply: Promise<RawReply>;
}

export interface Host {
  readonly revision: string;
  readonly wire: WireEntry[];
  /** The raw result of `initialize`. */
  readonly welcome: string;
  /** Everything the gateway asked so far. */
  readonly questions: Question[];
  /** Replaces the answerer. */
  answerWith(answer: Answerer): void;
  /** The question with this index, waited for. */
  question(index?: number, ms?: number): Promise<Question>;
  /** Answers a question by hand. */
  reply(question: Question, reply: RawReply): Promise<void>;
  /** Sends a request with raw params (and a raw id if given). */
  start(method: string, params?: string, options?: { id?: string }): Started;
  /** The raw result of a request; throws what the error says. */
  request(method: string, params?: string, ms?: number): Promise<string>;
  /** Starts `tools/call`; `meta` is raw text for `_meta`. */
  startCall(tool: string, args?: unknown, options?: { meta?: string; id?: string }): Started;
  /** The first text of a tool's result; throws for an error reply. */
  call(tool: string, args?: unknown, ms?: number): Promise<string>;
  /** What the fixture's `ask` returned: the raw answers it got. */
  ask(args?: unknown, ms?: number): Promise<{ nonce?: unknown; answers: string[] }>;
  notify(method: string, params?: string): Promise<void>;
  cancel(id: string, reason?: string): Promise<void>;
  /** Sends a text as it is. */
  raw(text: string): Promise<void>;
  /** The first inbound message that `match` accepts, also one already there. */
  received(
    what: string,
    match: (message: Record<string, unknown>) => boolean,
    ms?: number,
  ): Promise<Record<string, unknown>>;
  /** Ends the session: DELETE, or the end of stdin. */
  close(): Promise<void>;
}

/** Reads a reply as a tool result's first text. */
export function toolText(reply: RawReply): string {
  if ('error' in reply) throw new Error(`the call failed: ${reply.error}`);
  const { content } = JSON.parse(reply.result) as { content: { text: string }[] };
  return content[0]?.text ?? '';
}

export interface HostCore {
  readonly host: Host;
  /** Takes one text from the gateway. */
  receive(text: string): void;
  /** The requests that still wait fail with this. */
  fail(error: Error, id?: string): void;
  initialize(): Promise<Host>;
}

/** The host without its transport. */
export function createHostCore(options: HostOptions, link: Link): HostCore {
  const revision = options.revision ?? '2025-11-25';
  const wire: WireEntry[] = [];
  const questions: Question[] = [];
  const waiting = new Map<string, { resolve(reply: RawReply): void; reject(error: Error): void }>();
  const watchers = new Set<() => void>();
  let answer: Answerer = options.answer ?? (() => undefined);
  let nextId = 1;
  let welcome = '';

  const send = (text: string): Promise<void> => {
    wire.push({ dir: 'out', text, at: Date.now() });
    return link.send(text);
  };
  /** Runs `look` now and after each message until it gives something. */
  const watch = <T>(what: string, look: () => T | undefined, ms?: number): Promise<T> => {
    const found = new Promise<T>((resolve) => {
      const check = (): void => {
        const value = look();
        if (value === undefined) return;
        watchers.delete(check);
        resolve(value);
      };
      watchers.add(check);
      check();
    });
    return within(what, found, ms);
  };

  const reply = (question: Question, given: RawReply): Promise<void> => {
    const body = 'result' in given ? `"result":${given.result}` : `"error":${given.error}`;
    return send(`{"jsonrpc":"2.0","id":${question.id},${body}}`);
  };

  function start(method: string, params?: string, { id = String(nextId++) } = {}): Started {
    const pending = new Promise<RawReply>((resolve, reject) => waiting.set(id, { resolve, reject }));
    // Whoever does not wait for a reply is not failed by it.
    pending.catch(() => {});
    const body = params === undefined ? '' : `,"params":${params}`;
    send(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${body}}`).catch((error: Error) => {
      waiting.get(id)?.reject(error);
      waiting.delete(id);
    });
    return { id, reply: pending };
  }

  const host: Host = {
    revision,
    wire,
    get welcome() {
      return welcome;
    },
    questions,
    answerWith(next) {
      answer = next;
    },
    question: (index = 0, ms) => watch(`question ${index} at the host`, () => questions[index], ms),
    reply,
    start,
    async request(method, params, ms) {
      const given = await within(`the reply to ${method}`, start(method, params).reply, ms);
      if ('error' in given) throw new Error(`${method} failed: ${given.error}`);
      return given.result;
    },
    startCall(tool, args = {}, { meta, id } = {}) {
      const more = meta === undefined ? '' : `,"_meta":${meta}`;
      const params = `{"name":${JSON.stringify(tool)},"arguments":${JSON.stringify(args)}${more}}`;
      return start('tools/call', params, id === undefined ? {} : { id });
    },
    async call(tool, args, ms) {
      return toolText(await within(`the result of ${tool}`, host.startCall(tool, args).reply, ms));
    },
    async ask(args, ms) {
      return JSON.parse(await host.call('ask', args, ms)) as { nonce?: unknown; answers: string[] };
    },
    notify: (method, params) =>
      send(
        `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${params === undefined ? '' : `,"params":${params}`}}`,
      ),
    cancel: (id, reason = 'no longer needed') =>
      host.notify('notifications/cancelled', `{"requestId":${id},"reason":${JSON.stringify(reason)}}`),
    raw: send,
    received: (what, match, ms) =>
      watch(
        `${what} at the host`,
        () =>
          wire
            .filter(({ dir }) => dir === 'in')
            .map(({ text }) => JSON.parse(text) as Record<string, unknown>)
            .find(match),
        ms,
      ),
    close: () => link.close(),
  };

  async function takeQuestion(question: Question): Promise<void> {
    questions.push(question);
    const given = await answer(question);
    if (given) await reply(question, given);
  }

  return {
    host,
    receive(text) {
      wire.push({ dir: 'in', text, at: Date.now() });
      const message = JSON.parse(text) as { id?: unknown; method?: string };
      const id = slice(text, 'id');
      if (message.method !== undefined && id !== undefined) {
        const question = { id, method: message.method, params: slice(text, 'params'), text };
        // A reply that finds no gateway any more is the test's to notice, by what follows.
        takeQuestion(question).catch(() => {});
      } else if (id !== undefined) {
        const result = slice(text, 'result');
        waiting.get(id)?.resolve(result === undefined ? { error: slice(text, 'error') ?? '' } : { result });
        waiting.delete(id);
      }
      for (const check of [...watchers]) check();
    },
    fail(error, id) {
      for (const [key, { reject }] of [...waiting]) {
        if (id !== undefined && key !== id) continue;
        waiting.delete(key);
        reject(error);
      }
    },
    async initialize() {
      const name = JSON.stringify(options.name ?? 'raw-host');
      welcome = await host.request(
        'initialize',
        `{"protocolVersion":"${revision}","capabilities":${options.capabilities ?? '{}'},"clientInfo":{"name":${name},"version":"1.0.0"}}`,
      );
      await host.notify('notifications/initialized');
      return host;
    },
  };
}
