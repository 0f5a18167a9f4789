// A raw wire-level host of 2026-07-28: no session; every request stands alone, retries and their states are in the test's hands.
import { slice } from '../../fixtures/upstream/json-slice.mjs';
import type { RawReply, WireEntry } from './host.ts';

export const MODERN = '2026-07-28';
const KEY = 'io.modelcontextprotocol';

/** One request as it goes out. */
export interface Outgoing {
  /** Raw JSON. */
  readonly id: string;
  readonly method: string;
  /** What `Mcp-Name` mirrors. */
  readonly name: string | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How requests get to the gateway. */
export interface ModernLink {
  /** Sends a request; each message that comes back on its behalf goes to `receive`. */
  send(outgoing: Outgoing, receive: (text: string) => void): Promise<void>;
  /** Gives a request up: closes its response, or sends `notifications/cancelled`. */
  giveUp(outgoing: Outgoing, cancelled: string): void;
  close(): Promise<void>;
}

export interface RequestOptions {
  /** Raw JSON text of `inputResponses`. */
  readonly responses?: string;
  readonly state?: string | undefined;
  /** Raw JSON text of the capabilities of this very request; those of the host when absent. */
  readonly capabilities?: string;
  /** Raw JSON members of `_meta` beside the envelope: `"progressToken":1`. */
  readonly meta?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Sent {
  readonly id: string;
  /** The final message of the request, an `input_required` result included. */
  readonly reply: Promise<RawReply>;
  /** Closes the stream of the request (HTTP) or cancels it (stdio). */
  close(): void;
}

/** One entry of `inputRequests`. */
export interface Input {
  readonly key: string;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** An `input_required` result. */
export interface Interim {
  readonly requests: readonly Input[];
  readonly state: string | undefined;
}

/** Answers one entry with raw JSON; undefined leaves its key out of the retry. */
export type Respond = (input: Input) => string | undefined | Promise<string | undefined>;

export interface ModernHost {
  readonly revision: typeof MODERN;
  readonly wire: WireEntry[];
  send(method: string, params?: string, options?: RequestOptions): Sent;
  /** `tools/call`. */
  call(tool: string, args?: unknown, options?: RequestOptions): Sent;
  /** Calls a tool and goes through its rounds until something final comes. */
  through(tool: string, args: unknown, respond: Respond, options?: RequestOptions): Promise<RawReply>;
  close(): Promise<void>;
}

export interface ModernHostOptions {
  /** Raw JSON text. */
  readonly capabilities?: string;
  readonly name?: string;
}

/** The interim result of a reply; undefined for a final one. */
export function interimOf(reply: RawReply): Interim | undefined {
  if ('error' in reply) return undefined;
  const result = JSON.parse(reply.result) as {
    resultType?: string;
    inputRequests?: Record<string, { method: string; params?: Record<string, unknown> }>;
    requestState?: string;
  };
  if (result.resultType !== 'input_required') return undefined;
  const requests = Object.entries(result.inputRequests ?? {}).map(([key, { method, params = {} }]) => ({
    key,
    method,
    params,
  }));
  return { requests, state: result.requestState };
}

/** The interim result, which must be there. */
export function askedBy(reply: RawReply): Interim {
  const interim = interimOf(reply);
  if (!interim) throw new Error(`not input_required: ${JSON.stringify(reply)}`);
  return interim;
}

/** The raw text of `inputResponses`. */
export function responsesOf(pairs: Iterable<readonly [key: string, response: string]>): string {
  return `{${[...pairs].map(([key, response]) => `${JSON.stringify(key)}:${response}`).join(',')}}`;
}

/** The host without its transport. */
export function createModernHost(options: ModernHostOptions, link: ModernLink): ModernHost {
  const wire: WireEntry[] = [];
  const declared = options.capabilities ?? '{}';
  const name = JSON.stringify(options.name ?? 'raw-host');
  let nextId = 1;

  function send(method: string, params = '{}', more: RequestOptions = {}): Sent {
    const id = String(nextId++);
    const meta = [
      `"${KEY}/protocolVersion":"${MODERN}"`,
      `"${KEY}/clientInfo":{"name":${name},"version":"1.0.0"}`,
      `"${KEY}/clientCapabilities":${more.capabilities ?? declared}`,
      ...(more.meta === undefined ? [] : [more.meta]),
    ];
    const members = [
      ...(params === '{}' ? [] : [params.trim().slice(1, -1)]),
      ...(more.responses === undefined ? [] : [`"inputResponses":${more.responses}`]),
      ...(more.state === undefined ? [] : [`"requestState":${JSON.stringify(more.state)}`]),
      `"_meta":{${meta.join(',')}}`,
    ];
    const text = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":{${members.join(',')}}}`;
    const parsed = JSON.parse(params) as { name?: string; uri?: string };
    const outgoing: Outgoing = {
      id,
      method,
      name: parsed.name ?? parsed.uri,
      text,
      headers: more.headers ?? {},
    };
    wire.push({ dir: 'out', text, at: Date.now() });
    let over = false;
    const reply = new Promise<RawReply>((resolve, reject) => {
      const receive = (incoming: string): void => {
        wire.push({ dir: 'in', text: incoming, at: Date.now() });
        const message = JSON.parse(incoming) as { id?: unknown; method?: string };
        if (message.method !== undefined || JSON.stringify(message.id) !== id) return;
        over = true;
        resolve(rawReply(incoming));
      };
      link.send(outgoing, receive).catch(reject);
    });
    reply.catch(() => {});
    return {
      id,
      reply,
      close() {
        if (over) return;
        link.giveUp(
          outgoing,
          `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`,
        );
      },
    };
  }

  const host: ModernHost = {
    revision: MODERN,
    wire,
    send,
    call: (tool, args = {}, more) =>
      send('tools/call', `{"name":${JSON.stringify(tool)},"arguments":${JSON.stringify(args)}}`, more),
    async through(tool, args, respond, more = {}) {
      let next = more;
      for (let round = 0; round < 20; round += 1) {
        const reply = await host.call(tool, args, next).reply;
        const interim = interimOf(reply);
        if (!interim) return reply;
        const answered = await Promise.all(
          interim.requests.map(async (input) => [input.key, await respond(input)] as const),
        );
        const given = answered.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
        // A retry carries this round's state and answers, and nothing of the rounds before.
        next = {
          ...more,
          state: interim.state,
          ...(given.length > 0 && { responses: responsesOf(given) }),
        };
      }
      throw new Error('the gateway asks for ever');
    },
    close: () => link.close(),
  };
  return host;
}

function rawReply(text: string): RawReply {
  const result = slice(text, 'result');
  return result === undefined ? { error: slice(text, 'error') ?? '' } : { result };
}
