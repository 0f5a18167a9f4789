// The OpenAPI document, made from the table of routes and from the schemas that check their requests.
import { z } from 'zod';
import type { JsonText } from '../protocol/types.ts';
import type { Described, Route } from './route.ts';
import * as schemas from './schemas.ts';

type Json = Record<string, unknown>;

const NAMES: ReadonlyMap<z.ZodType, string> = new Map<z.ZodType, string>([
  [schemas.row, 'Row'],
  [schemas.rows, 'Rows'],
  [schemas.failure, 'Failure'],
  [schemas.lostRace, 'LostRace'],
]);

const place = (name: string): string => `#/components/schemas/${name}`;

/** OpenAPI 3.1, whose schemas are JSON Schema 2020-12. */
export function openApi(routes: readonly Route[], version: string): JsonText {
  const registry = z.registry<{ id: string }>();
  const names = new Map(NAMES);
  for (const { query: _, body, method, path, answers } of routes) {
    if (body !== undefined && !names.has(body)) names.set(body, `${operation(method, path)}Body`);
    for (const [status, { schema }] of Object.entries(answers))
      if (schema !== undefined && !names.has(schema))
        names.set(schema, `${operation(method, path)}${status}`);
  }
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
    const { method, path, summary, query, body, answers } = route;
    const isOpen = !path.startsWith('/v1/');
    const entries = Object.entries(answers).map(([status, answer]) => [status, described(answer)] as const);
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        operationId: operation(method, path),
        summary,
        ...(isOpen && { security: [] }),
        parameters: [...pathParameters(path), ...queryParameters(query)],
        ...(body !== undefined && {
          requestBody: {
            content: { 'application/json': { schema: { $ref: place(names.get(body) ?? '') } } },
          },
        }),
        responses: {
          ...((query ?? body) !== undefined && { 400: refusal('query or body are not as described') }),
          ...(!isOpen && { 401: refusal('no token, or one that is not known') }),
          403: refusal('Host or Origin are not allowed, or this answer is not'),
          ...(body !== undefined && { 413: refusal('over a limit'), 415: refusal('the body is not JSON') }),
          ...Object.fromEntries(entries),
        },
      },
    };
  }
  return JSON.stringify({
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
