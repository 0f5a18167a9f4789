// The API of a gateway that runs as a process, with the token that lies in its state directory.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpGateway, RowView } from './gateway.ts';

/** The bodies of all answers, as far as tests read them. */
export interface RestJson {
  readonly rows: RowView[];
  readonly call: string;
  readonly questions: RowView[];
  readonly servers: Record<string, unknown>[];
  readonly content: { readonly text: string }[];
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
}

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: RestJson;
}

export interface Rest {
  readonly token: string;
  readonly base: string;
  ask(path: string, init?: RequestInit & { headers?: Record<string, string> }): Promise<RestAnswer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<RestAnswer>;
  rows(): Promise<RowView[]>;
}

export function restOf(gateway: Pick<HttpGateway, 'url' | 'stateDir'>): Rest {
  const token = readFileSync(join(gateway.stateDir, 'token'), 'utf8').trim();
  const base = gateway.url.replace(/\/mcp$/, '');
  const rest: Rest = {
    token,
    base,
    async ask(path, init = {}) {
      const response = await fetch(`${base}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...init.headers },
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
    },
    post: (path, body = {}, headers = {}) =>
      rest.ask(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    rows: async () => (await rest.ask('/v1/elicit')).json.rows,
  };
  return rest;
}
