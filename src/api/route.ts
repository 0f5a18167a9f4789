// One route of the API: how it is documented, what it takes, and what it does. One table serves and documents them all.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { type FieldProblem, McpxError } from '../errors.ts';
import type { JsonText } from '../protocol/types.ts';
import { Refused } from './refused.ts';

/** A request whose query and body have been checked. */
export interface ApiRequest<Query, Body> {
  readonly principal: string;
  /** The `{id}` of the path; `''` where it has none. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  /** The body as it came, for values that are passed on as text. */
  readonly bodyText: JsonText;
  readonly headers: IncomingHttpHeaders;
  /** For a route that streams; the others return their answer. */
  readonly response: ServerResponse;
}

/** What a route answers; undefined when it has written to `response` itself. */
export interface ApiResponse {
  readonly status: number;
  readonly text: JsonText;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Described {
  readonly description: string;
  /** Absent for a body that is no JSON. */
  readonly schema?: z.ZodType;
  readonly type?: string;
}

interface Facts {
  readonly method: 'GET' | 'POST';
  /** `/v1/elicit/{id}`. */
  readonly path: string;
  readonly summary: string;
  /** What else a caller has to know. */
  readonly description?: string;
  /** Bytes of the body, at most; where it is longer, the sentence says which limit that is. */
  readonly most?: { readonly bytes: number; readonly limit: string };
  /** Answers by status; the refusals that every route has are added in the document. */
  readonly answers: Readonly<Record<number, Described>>;
}

export interface RouteOf<Query, Body> extends Facts {
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  handle(request: ApiRequest<Query, Body>): Promise<ApiResponse | undefined>;
}

export interface Route extends Facts {
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
  /** Checks query and body, and then does what the route does. */
  serve(request: ApiRequest<unknown, unknown>): Promise<ApiResponse | undefined>;
}

/** Binds a route's checks to its work, so that the types of the one are those of the other. */
export function route<Query = unknown, Body = unknown>(given: RouteOf<Query, Body>): Route {
  const { query, body, handle, ...facts } = given;
  return {
    ...facts,
    query,
    body,
    serve: (request) =>
      handle({
        ...request,
        query: checked(query, request.query, 'query'),
        body: checked(body, request.body, 'body'),
      }),
  };
}

export function ok(text: JsonText, status = 200): ApiResponse {
  return { status, text };
}

function checked<T>(schema: z.ZodType<T> | undefined, value: unknown, what: 'query' | 'body'): T {
  // A route without a schema takes nothing and looks at nothing.
  if (schema === undefined) return value as T;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    ({ path, message }): FieldProblem => ({
      path: path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
      message,
    }),
  );
  throw new Refused(
    400,
    new McpxError('usage', `The ${what} of this request is not valid.`, 'GET /openapi.json describes it.', {
      problems,
    }),
  );
}
