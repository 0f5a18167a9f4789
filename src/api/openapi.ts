// The OpenAPI document, made from the table of routes and from the schemas that check their requests.

import { z } from 'zod';
import { jsonOf } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import type { Described, Route } from './route.ts';
import * as schemas from './schemas.ts';

type Json = Record<string, unknown>;

const place = (name: string): string => `#/components/schemas/${name}`;

/** OpenAPI 3.1, whose schemas are JSON Schema 2020-12. */
export function openApi(routes: readonly Route[], version: string): JsonText {
  const names = namesOf(routes);
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const { schemas: made } = z.toJSONSchema(registry, { io: 'input', uri: place });
  const described = (answer: Described): Json => {
    const name = answer.schema === undefined ? undefined : names.get(answer.schema);
    const type = answer.type ?? 'application/json';
    const schema = name === undefined ? { type: 'string' } : { $ref: place(name) };
    return { description: answer.description, content: { [type]: { schema } } };
  };
  const refusal = (description: string): Json => described({ description, schema: schemas.failure });
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const { method, path, summary, description, query, body, answers } = route;
    const isOpen = !path.startsWith('/v1/');
    const entries = Object.entries(answers).map(([status, answer]) => [status, described(answer)] as const);
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        operationId: operation(method, path),
        summary,
        ...(description !== undefined && { description }),
        ...(isOpen && { security: [] }),
        parameters: [...pathParameters(path), ...queryParameters(query)],
        ...(body !== undefined && {
          requestBody: {
            content: { 'application/json': { schema: { $ref: place(names.get(body) ?? '') } } },
          },
        }),
        responses: {
          ...(!isOpen && { 400: refusal('the request is not as described') }),
          ...(!isOpen && { 401: refusal('no token, or an unknown one') }),
          403: refusal('the Host, the Origin or this answer is not allowed'),
          ...(body !== undefined && { 413: refusal('over a limit'), 415: refusal('the body is not JSON') }),
          ...Object.fromEntries(entries),
          default: refusal('a failure of the gateway or its store'),
        },
      },
    };
  }
  return jsonOf({
    openapi: '3.1.0',
    info: { title: 'mcpx', version, description: 'Questions of MCP servers, listed, followed and answered.' },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(Object.entries(made).map(([name, schema]) => [name, bare(schema as Json)])),
    },
  });
}

/** The schemas that stand in the document, by the names they are exported by, and those they are made of. */
function namesOf(routes: readonly Route[]): ReadonlyMap<z.ZodType, string> {
  const used = new Set<unknown>([schemas.row, schemas.failure]);
  for (const { body, answers } of routes) {
    used.add(body);
    for (const { schema } of Object.values(answers)) used.add(schema);
  }
  const named = new Map<z.ZodType, string>();
  for (const [name, schema] of Object.entries(schemas))
    if (schema instanceof z.ZodType && used.has(schema))
      named.set(schema, `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  return named;
}

/** `postElicitIdAccept` of `POST /v1/elicit/{id}/accept`. */
function operation(method: string, path: string): string {
  const words = path.replace(/^\/v1\//, '').match(/[a-z]+/g) ?? [];
  const upper = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${method.toLowerCase()}${upper.join('')}`;
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodType | undefined): Json[] {
  if (query === undefined) return [];
  const { properties = {} } = z.toJSONSchema(query, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
}

/** In a component the place says what the id would. */
function bare({ $schema: _, $id: __, ...schema }: Json): Json {
  return schema;
}
