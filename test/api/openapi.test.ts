// The document: sound, complete, and true of what the routes answer.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { McpxError } from '../../src/errors.ts';
import type { ApiCallRequest } from '../../src/gateway/calls/api-calls.ts';
import { question } from '../broker/question.ts';
import { until } from '../support/until.ts';
import { type Ask, apiCalls, type Got, type Served, serveApi } from './support.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: unknown[];
  readonly parameters: { name: string; in: string; required: boolean; schema: object }[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: Ref }> };
  readonly responses: Record<string, { description: string; content: Record<string, { schema: Ref }> }>;
}

type Ref = { readonly $ref?: string };

interface Document {
  readonly openapi: string;
  readonly info: { title: string; version: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, object>; securitySchemes: object };
}

async function documentOf({ ask }: Pick<Served, 'ask'>): Promise<Document> {
  const got = await ask('/openapi.json', { token: undefined });
  expect(got.status).toBe(200);
  return JSON.parse(got.text);
}

/** A validator for what `$ref` points at. */
function validatorFor(document: Document): (ref: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as { default: (ajv: Ajv2020) => void }).default(ajv);
  ajv.addSchema({ ...document, $id: 'doc' });
  return (ref) => {
    const found = ajv.getSchema(`doc${ref}`);
    if (found === undefined) throw new Error(`${ref} leads nowhere`);
    return found as ValidateFunction;
  };
}

test('is OpenAPI 3.1 with sound schemas, one name for each operation, and references that lead somewhere', async () => {
  const document = await documentOf(await serveApi());
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'mcpx', version: '1.2.3' },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  });
  const ajv = new Ajv2020({ strict: false });
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
    expect([name, ajv.validateSchema(schema)]).toEqual([name, true]);
  }
  const validator = validatorFor(document);
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? '');
  expect(refs.length).toBeGreaterThan(20);
  for (const ref of refs) expect(validator(ref)).toBeTypeOf('function');
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  for (const { path, method, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const named = operation.parameters.filter((one) => one.in === 'path' && one.required);
    expect(named.map(({ name }) => name)).toEqual(inPath);
    expect(operation.requestBody !== undefined).toBe(method === 'post');
    expect(operation.summary).toMatch(/\.$/);
    // Whoever reads it learns which routes need a token.
    expect(operation.security).toEqual(path === '/openapi.json' ? [] : undefined);
    expect('401' in operation.responses).toBe(path !== '/openapi.json');
  }
});

test('every operation of it is there, and answers as it says', async () => {
  const done = new AbortController();
  const served = await serveApi({
    gateway: {
      apiCalls: apiCalls((call) => (call.tool === 'slow' ? aborted(done.signal) : answered(call))),
      servers: () => [
        { name: 'github', transport: 'stdio', state: 'ready', era: 'legacy', revision: '2025-11-25' },
      ],
    },
  });
  const { broker, ask, post } = served;
  const document = await documentOf(served);
  const validator = validatorFor(document);
  const seen = new Set<string>();

  /** The answer to a request, held against what the document says of its operation and status. */
  async function hold(method: 'get' | 'post', path: string, url: string, how: Ask = {}): Promise<Got> {
    const got = method === 'get' ? await ask(url, how) : await post(url, undefined, how);
    const operation = document.paths[path]?.[method];
    const described = operation?.responses[got.status];
    expect([path, got.status, described?.description]).toEqual([path, got.status, expect.any(String)]);
    const ref = described?.content['application/json']?.schema.$ref;
    if (ref !== undefined) {
      const validate = validator(ref);
      expect([path, got.status, validate(got.json), validate.errors]).toEqual([path, got.status, true, null]);
    }
    seen.add(`${method} ${path} ${got.status}`);
    return got;
  }

  const url = async (): Promise<string> => {
    const { requestedSchema: _, ...rest } = question();
    return (await broker.open({ ...rest, mode: 'url', url: 'https://example.com/' })).id;
  };
  const form = async (): Promise<string> => (await broker.open(question())).id;
  const send = (body: unknown): Ask => ({ body: JSON.stringify(body) });

  for (const path of ['/v1/elicit', '/v1/servers', '/v1/health', '/openapi.json']) {
    await form();
    await hold('get', path, path);
    if (path !== '/openapi.json') await hold('get', path, path, { token: undefined });
    await hold('get', path, path, { headers: { origin: 'https://evil.example' } });
  }
  await hold('get', '/v1/elicit', '/v1/elicit?limit=1');
  await hold('get', '/v1/elicit', '/v1/elicit?limit=x');
  const one = '/v1/elicit/{id}';
  await hold('get', one, `/v1/elicit/${await form()}`);
  await hold('get', one, '/v1/elicit/elc-');
  await hold('get', one, '/v1/elicit/nothing');
  for (const action of ['accept', 'decline', 'cancel', 'done']) {
    const path = `${one}/${action}`;
    const id = action === 'done' ? await url() : await form();
    if (action === 'done') await broker.answer(id, { action: 'accept', by: 'tui' });
    await hold(
      'post',
      path,
      `/v1/elicit/${id}/${action}`,
      send(action === 'accept' ? { content: { repo: 'x' } } : {}),
    );
    if (action === 'done') {
      const over = await url();
      await broker.answer(over, { action: 'decline', by: 'tui' });
      await hold('post', path, `/v1/elicit/${over}/${action}`);
    } else await hold('post', path, `/v1/elicit/${id}/${action}`, send({}));
    await hold('post', path, `/v1/elicit/nothing/${action}`);
    await hold('post', path, `/v1/elicit/${id}/${action}`, send({ odd: true }));
    await hold('post', path, `/v1/elicit/${id}/${action}`, { body: 'x'.repeat(10_000) });
    await hold('post', path, `/v1/elicit/${id}/${action}`, { headers: { 'content-type': 'text/plain' } });
  }
  await hold('post', `${one}/accept`, `/v1/elicit/${await url()}/accept`, send({ consent: true }));
  await hold('post', `${one}/accept`, `/v1/elicit/${await form()}/accept`, send({ content: {} }));
  const call = { server: 'github', tool: 'echo', arguments: {} };
  await hold('post', '/v1/call', '/v1/call', send(call));
  await hold('post', '/v1/call', '/v1/call', send({ ...call, tool: 'fails' }));
  await hold('post', '/v1/call', '/v1/call', send({ server: 7 }));
  const slow = send({ ...call, tool: 'slow' });
  const early = await hold('post', '/v1/call', '/v1/call', {
    ...slow,
    headers: { prefer: 'respond-async, wait=0' },
  });
  const later = `/v1/call/${early.json['call']}`;
  await hold('get', '/v1/call/{id}', later);
  done.abort();
  await until('the result', async () => (await hold('get', '/v1/call/{id}', later)).status === 200);
  await hold('get', '/v1/call/{id}', '/v1/call/nothing');
  await hold('get', '/v1/events', '/v1/events', { headers: { 'last-event-id': 'x' } });
  const reader = await served.read();
  expect(document.paths['/v1/events']?.['get']?.responses['200']?.content).toHaveProperty([
    'text/event-stream',
  ]);
  seen.add(`get /v1/events ${reader.status}`);
  reader.cut();

  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path} 200`),
  );
  expect(operations.filter((operation) => !seen.has(operation))).toEqual([]);
});

test('the query parameters are those that are checked', async () => {
  const { ask, ...served } = await serveApi();
  const document = await documentOf({ ask });
  const parameters = document.paths['/v1/elicit']?.['get']?.parameters ?? [];
  expect(parameters.map(({ name }) => name)).toEqual(['state', 'server', 'audience', 'limit', 'after']);
  const ajv = new Ajv2020({ strict: false, coerceTypes: true });
  await served.broker.open(question());
  for (const [name, value] of [
    ['state', 'pending'],
    ['state', 'odd'],
    ['server', 'x'],
    ['audience', 'human'],
    ['audience', 'all'],
    ['limit', '1000'],
    ['limit', '0'],
    ['limit', '1001'],
    ['limit', '1.5'],
  ] as const) {
    const schema = parameters.find((one) => one.name === name)?.schema ?? false;
    const fits = ajv.validate({ type: 'object', properties: { [name]: schema } }, { [name]: value });
    expect([name, value, (await ask(`/v1/elicit?${name}=${value}`)).status]).toEqual([
      name,
      value,
      fits ? 200 : 400,
    ]);
  }
});

function answered({ tool }: ApiCallRequest): Promise<{ result: string }> {
  if (tool === 'fails') return Promise.reject(new McpxError('unreachable', 'It does not start.'));
  return Promise.resolve({ result: '{"content":[{"type":"text","text":"hello"}]}' });
}

function aborted(signal: AbortSignal): Promise<{ result: string }> {
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve({ result: '{"content":[],"isError":true}' })),
  );
}
