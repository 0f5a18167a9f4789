// Hangs the API on the HTTP front: /v1 for who has a token, and the document that describes it for everybody.

import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LOCAL, type NamedToken } from '../broker/principals.ts';
import type { Broker } from '../broker/types.ts';
import type { Clock } from '../clock.ts';
import type { Limits } from '../config/types.ts';
import { McpxError } from '../errors.ts';
import type { FormChecks } from '../form/checks.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Log } from '../log.ts';
import { jsonOf } from '../protocol/json-text.ts';
import { readJson } from './body.ts';
import { callRoutes } from './call-routes.ts';
import { elicitRoutes } from './elicit-routes.ts';
import { eventsRoute } from './events.ts';
import { openApi } from './openapi.ts';
import { Refused, refusedOf, refusedText } from './refused.ts';
import { ok, type Route, route } from './route.ts';
import { health, servers } from './schemas.ts';
import { principalOf } from './tokens.ts';

export interface ApiOptions {
  readonly broker: Broker;
  readonly checks: FormChecks;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  readonly version: string;
  /** Whose requests are taken; the local operator's token is among them. */
  readonly tokens: readonly NamedToken[];
  /** What `/v1/call` and `/v1/servers` are about. */
  readonly gateway: Pick<Gateway, 'apiCalls' | 'servers'>;
  /** Aborts when the gateway stops. */
  readonly closing: AbortSignal;
}

const PREFIX = '/v1';
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** Hangs `/v1/*` and `/openapi.json` on `app`, which has checked `Host` and `Origin` (docs/broker.md, "HTTP"). */
export function hangApi(app: FastifyInstance, options: ApiOptions): void {
  const { log, tokens } = options;
  const v1 = routesOf(options);
  const principals = new WeakMap<FastifyRequest, string>();
  const fail = (thrown: unknown, reply: FastifyReply): FastifyReply => {
    const refused = refusedOf(thrown, log);
    return reply
      .code(refused.status)
      .headers({ ...HEADERS, ...refused.headers })
      .send(refusedText(refused));
  };
  app.register(
    async (scope) => {
      scope.addHook('onRequest', (request, _reply, done) => {
        try {
          principals.set(request, principalOf(request.headers.authorization, tokens));
          done();
        } catch (error) {
          done(error as Error);
        }
      });
      scope.setErrorHandler((error, _request, reply) => fail(error, reply));
      scope.setNotFoundHandler((request, reply) => fail(nothingHere(request, v1), reply));
      hang(scope, v1, PREFIX, (request) => principals.get(request) ?? '');
    },
    { prefix: PREFIX },
  );
  app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => fail(error, reply));
    hang(scope, [documentRoute(v1, options.version)], '', () => LOCAL);
  });
}

/** Answers what was meant for `/v1` and is so odd that it reached no route, for `HttpOptions.refuse`. */
export function refuseApi(url: string, error: unknown, response: ServerResponse, log: Log): boolean {
  if (!url.startsWith(`${PREFIX}/`)) return false;
  const refused = refusedOf(error, log);
  response.writeHead(refused.status, { ...HEADERS, ...refused.headers }).end(refusedText(refused));
  return true;
}

function routesOf(options: ApiOptions): Route[] {
  const { broker, checks, clock, log, limits, version, gateway, closing } = options;
  const { frameBytes, answerBytes } = limits;
  return [
    ...elicitRoutes({ broker, checks, log, answerBytes }),
    eventsRoute({ broker, clock, log, closing }),
    ...callRoutes({ broker, clock, calls: gateway.apiCalls, frameBytes }),
    route({
      method: 'GET',
      path: '/v1/servers',
      summary: 'The servers behind this gateway, in the order of the configuration.',
      answers: { 200: { description: 'the servers', schema: servers } },
      handle: async () => ok(jsonOf({ servers: gateway.servers() })),
    }),
    route({
      method: 'GET',
      path: '/v1/health',
      summary: 'Whether the gateway is alive, and what has happened to its store.',
      answers: { 200: { description: 'it is alive', schema: health } },
      handle: async () => {
        const store = broker.trouble();
        const status = store?.state === 'unavailable' ? 'degraded' : 'ok';
        return ok(jsonOf({ status, version, ...(store && { store }) }));
      },
    }),
  ];
}

function documentRoute(v1: readonly Route[], version: string): Route {
  const document: Route = route({
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document.',
    answers: { 200: { description: 'OpenAPI 3.1', type: 'application/json' } },
    handle: async () => ok(openApi([...v1, document], version)),
  });
  return document;
}

/** Bodies are read here and not by the server, which would parse them and so lose how they were written. */
function hang(
  scope: FastifyInstance,
  routes: readonly Route[],
  prefix: string,
  principal: (request: FastifyRequest) => string,
): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  for (const one of routes) {
    scope.route<{ Params: { id?: string } }>({
      method: one.method,
      url: one.path.slice(prefix.length).replaceAll(/\{(\w+)\}/g, ':$1'),
      async handler(request, reply) {
        const text = one.most === undefined ? '{}' : await readJson(request.raw, one.most);
        const answer = await one.serve({
          principal: principal(request),
          id: request.params.id ?? '',
          query: request.query,
          body: JSON.parse(text),
          bodyText: text,
          headers: request.headers,
          response: reply.raw,
        });
        if (answer === undefined) return reply.hijack();
        return reply
          .code(answer.status)
          .headers({ ...HEADERS, ...answer.headers })
          .send(answer.text);
      },
    });
  }
}

function nothingHere({ method, url }: FastifyRequest, routes: readonly Route[]): Refused {
  const path = url.replace(/\?.*$/, '').replace(/(?<=.)\/$/, '');
  const allowed = routes
    .filter((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .map((one) => one.method);
  const hint = 'GET /openapi.json lists the routes.';
  if (allowed.length === 0)
    return new Refused(404, new McpxError('not_found', 'There is nothing at this path.', hint));
  return new Refused(405, new McpxError('usage', `${method} is not allowed on this path.`, hint), {
    headers: { allow: allowed.join(', ') },
  });
}
