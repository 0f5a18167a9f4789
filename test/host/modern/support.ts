// A relay of few words for stateless hosts, and requests as such hosts write them.
import { expect } from 'vitest';
import type { HostFacts, ListenFilter, StatelessRequest, Welcome } from '../../../src/host/types.ts';
import { encodeHeaderValue } from '../../../src/protocol/param-headers.ts';
import type { Reply } from '../../../src/protocol/types.ts';
import { createHandler, type HandlerDouble } from '../../support/host-handler.ts';
import { type Json, rpc } from '../support.ts';

export const MODERN = '2026-07-28';
export const DONE = '{"content":[],"resultType":"complete"}';
export const SERVED_BY = {
  'io.modelcontextprotocol/serverInfo': { name: 'mcpx', version: '1.2.3', title: 'mcpx' },
};

/** A tools/call of `held`, which the test lets go on. */
export interface Held {
  readonly request: StatelessRequest;
  finish(reply?: Reply): void;
}

export interface StatelessDouble extends HandlerDouble {
  readonly requests: StatelessRequest[];
  readonly listens: { readonly request: StatelessRequest; readonly filter: ListenFilter }[];
  readonly discovered: HostFacts[];
  /** The call of `held` at this place in the order of arrival. */
  held(index?: number): Promise<Held>;
}

export interface DoubleOptions {
  /** Replies by the name of a tool, beside `held`; of any other method or tool the reply is `DONE`. */
  readonly tools?: Readonly<Record<string, (request: StatelessRequest) => Reply | Promise<Reply>>>;
  readonly welcome?: Welcome;
  readonly listen?: (request: StatelessRequest, filter: ListenFilter) => ListenFilter | Promise<ListenFilter>;
  /** inputSchema by the name of a tool. */
  readonly schemas?: Readonly<Record<string, object>>;
}

export function statelessDouble(options: DoubleOptions = {}): StatelessDouble {
  const { tools = {}, welcome, listen, schemas = {} } = options;
  const held: Held[] = [];
  return Object.assign(createHandler(), {
    requests: [] as StatelessRequest[],
    listens: [] as StatelessDouble['listens'],
    discovered: [] as HostFacts[],
    async held(index = 0) {
      await expect.poll(() => held.length).toBeGreaterThan(index);
      const call = held[index];
      if (call === undefined) throw new Error('no such call');
      return call;
    },
    async discover(this: StatelessDouble, facts: HostFacts) {
      this.discovered.push(facts);
      return welcome ?? { capabilities: '{"tools":{"listChanged":true}}', instructions: undefined };
    },
    async stateless(this: StatelessDouble, request: StatelessRequest): Promise<Reply> {
      this.requests.push(request);
      const { name } = JSON.parse(request.params ?? '{}');
      if (name === 'held')
        return await new Promise((resolve) =>
          held.push({ request, finish: (reply = { result: DONE }) => resolve(reply) }),
        );
      return (await tools[name]?.(request)) ?? { result: DONE };
    },
    async listen(this: StatelessDouble, request: StatelessRequest, filter: ListenFilter) {
      this.listens.push({ request, filter });
      return (await listen?.(request, filter)) ?? filter;
    },
    async toolSchema(name: string) {
      return Object.hasOwn(schemas, name) ? JSON.stringify(schemas[name]) : undefined;
    },
  });
}

/** The envelope of a host that can be asked. */
export function envelope(more: Json = {}): Json {
  return {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'test-host', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    ...more,
  };
}

export interface Made {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** A request with its envelope, and the headers that mirror it. */
export function made(method: string, params: Json = {}, id: number | string = 1): Made {
  const { _meta, ...rest } = params;
  const body = rpc({ id, method, params: { ...rest, _meta: { ...envelope(), ...(_meta as Json) } } });
  const name = params['name'] ?? params['uri'];
  return {
    body,
    headers: {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': encodeHeaderValue(name) } : {}),
    },
  };
}

export const call = (name: string, params: Json = {}, id: number | string = 1): Made =>
  made('tools/call', { name, ...params }, id);
