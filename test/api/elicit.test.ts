import { describe, expect, onTestFinished, test } from 'vitest';
import { openBroker } from '../../src/broker/open.ts';
import { rowJson } from '../../src/broker/row-json.ts';
import type { NewRow, Row } from '../../src/broker/types.ts';
import { systemClock } from '../../src/clock.ts';
import { silent } from '../../src/log.ts';
import { question } from '../broker/question.ts';
import { CI_TOKEN, type Got, serveApi } from './support.ts';

const UNKNOWN = 'elc-0000000000000000';

/** A form whose text has what a parser would lose: spacing, large numbers, escapes, key order. */
const ODD_SCHEMA =
  '{ "type":"object", "zz": 9007199254740993, "properties":{"b":{"type":"integer"},"a":{"type":"string","title":"\\u00e9"}}}';
const odd: Partial<NewRow> = {
  message: 'Prüfe \u{1f642}',
  params: `{"message":"Pr\\u00fcfe \\ud83d\\ude42","requestedSchema":${ODD_SCHEMA}}`,
  requestedSchema: ODD_SCHEMA,
};

function urlQuestion(url = 'https://example.com/a?b=1'): NewRow {
  const { requestedSchema: _, ...rest } = question();
  return { ...rest, mode: 'url', url, params: JSON.stringify({ mode: 'url', url, message: rest.message }) };
}

function codeOf(got: Got): [number, string | undefined] {
  return [got.status, got.json.error?.code];
}

describe('GET /v1/elicit', () => {
  test('gives pending rows as every surface prints them, character by character', async () => {
    const { broker, ask } = await serveApi();
    expect((await ask('/v1/elicit')).text).toBe('{"rows":[]}');
    const [late, soon] = [await broker.open(question(odd)), await broker.open(question({ ttl: 1_000 }))];
    await broker.answer((await broker.open(question())).id, { action: 'cancel', by: 'tui' });
    const got = await ask('/v1/elicit');
    expect(got.status).toBe(200);
    expect(got.text).toBe(`{"rows":[${rowJson(soon)},${rowJson(late)}]}`);
    expect(got.text).toContain(ODD_SCHEMA);
    expect(got.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
  });

  test('chooses by state, server and audience', async () => {
    const { broker, ask } = await serveApi();
    const open = await broker.open(question());
    const linear = await broker.open(question({ server: 'linear', audience: 'host' }));
    const over = await broker.open(question());
    await broker.answer(over.id, { action: 'decline', by: 'tui' });
    const ids = async (query: string): Promise<unknown> =>
      ((await ask(`/v1/elicit?${query}`)).json['rows'] as Row[]).map(({ id }) => id);
    expect(await ids('server=linear')).toEqual([linear.id]);
    expect(await ids('audience=human')).toEqual([open.id]);
    expect(await ids('state=declined')).toEqual([over.id]);
    expect(await ids('state=all')).toEqual([open.id, linear.id, over.id]);
    expect(await ids('state=lost')).toEqual([]);
  });

  test('goes through pages without a gap, also when rows leave in between', async () => {
    const { broker, ask } = await serveApi();
    const opened: string[] = [];
    for (let count = 0; count < 5; count += 1) opened.push((await broker.open(question())).id);
    const seen: string[] = [];
    let after = '';
    for (let page = 0; page < 3; page += 1) {
      const { json } = await ask(`/v1/elicit?limit=2${after}`);
      const ids = (json['rows'] as Row[]).map(({ id }) => id);
      seen.push(...ids);
      expect(json['next']).toBe(page < 2 ? ids[1] : undefined);
      after = `&after=${json['next']}`;
      for (const id of ids) await broker.answer(id, { action: 'cancel', by: 'tui' });
    }
    expect(seen).toEqual(opened);
    expect((await ask(`/v1/elicit?after=${UNKNOWN}`)).text).toBe('{"rows":[]}');
  });

  test.each([
    'state=odd',
    'limit=0',
    'limit=x',
    'limit=5000',
    'audience=all',
    'nonsense=1',
    'state=all&state=lost',
  ])('refuses ?%s', async (query) => {
    const got = await (await serveApi()).ask(`/v1/elicit?${query}`);
    expect(codeOf(got)).toEqual([400, 'usage']);
    expect(got.json.error?.errors?.length).toBe(1);
  });
});

describe('GET /v1/elicit/{id}', () => {
  test('gives one row, by a unique prefix too', async () => {
    const { broker, ask } = await serveApi();
    const [one, two] = [await broker.open(question(odd)), await broker.open(question())];
    expect((await ask(`/v1/elicit/${one.id}`)).text).toBe(rowJson(one));
    expect((await ask(`/v1/elicit/${two.id.slice(0, 15)}`)).text).toBe(rowJson(two));
    expect(codeOf(await ask('/v1/elicit/elc-'))).toEqual([400, 'usage']);
    expect(codeOf(await ask(`/v1/elicit/${UNKNOWN}`))).toEqual([404, 'not_found']);
    expect(codeOf(await ask('/v1/elicit/%3Cscript%3E'))).toEqual([404, 'not_found']);
  });

  test('does not give the answer to a sensitive question', async () => {
    const { broker, ask } = await serveApi();
    const { id } = await broker.open(question({ sensitive: true }));
    await broker.answer(id, { action: 'accept', content: '{"repo":"sk-test-123"}', by: 'tui' });
    for (const path of [`/v1/elicit/${id}`, '/v1/elicit?state=all']) {
      const { text } = await ask(path);
      expect(text).toContain('"redacted":true');
      expect(text).not.toContain('sk-test');
    }
  });
});

describe('answering', () => {
  test('accepts a form with the exact text of its content, and gives the row', async () => {
    const { broker, post } = await serveApi();
    const { id } = await broker.open(question(odd));
    const got = await post(`/v1/elicit/${id}/accept`, '{"content": {"b": 1e2, "a":"\\u00e9"} }');
    const row = await broker.get(id);
    expect([got.status, got.text]).toEqual([200, rowJson(row)]);
    expect(row).toMatchObject({ state: 'accepted', answer: { by: 'rest' } });
    expect(row.answer?.content).toBe('{"b": 1e2, "a":"\\u00e9"}');
  });

  test('names the surface of a person, and no other answerer', async () => {
    const { broker, post } = await serveApi();
    const [one, two] = [await broker.open(question()), await broker.open(question())];
    await post(`/v1/elicit/${one.id}/decline`, { by: 'tui' });
    expect((await broker.get(one.id)).answer?.by).toBe('tui');
    for (const by of ['host', 'rule:mine', 'mcpx', 'agent', 7])
      expect(codeOf(await post(`/v1/elicit/${two.id}/decline`, { by }))).toEqual([400, 'usage']);
    expect((await broker.get(two.id)).state).toBe('pending');
  });

  test.each([
    ['decline', 'declined'],
    ['cancel', 'cancelled'],
  ])('ELI-03: %s carries no content, with an empty body and without one', async (action, state) => {
    const { broker, post, ask } = await serveApi();
    const [one, two] = [await broker.open(question()), await broker.open(question())];
    expect((await post(`/v1/elicit/${one.id}/${action}`, {})).json).toMatchObject({
      state,
      answer: { action },
    });
    expect((await ask(`/v1/elicit/${two.id}/${action}`, { method: 'POST' })).status).toBe(200);
    expect((await broker.get(two.id)).answer).not.toHaveProperty('content');
  });

  test.each([
    ['a required field is missing', '{"content":{}}', ['/repo']],
    ['a wrong type and an unknown name', '{"content":{"repo":7,"rpeo":"x"}}', ['/repo', '/rpeo']],
    ['no content', '{}', ['']],
    ['consent is none', '{"consent":true}', ['']],
  ])('400 with what is wrong, field by field, and the row stays pending: %s', async (_name, body, paths) => {
    const { broker, post } = await serveApi();
    const { id } = await broker.open(question());
    const got = await post(`/v1/elicit/${id}/accept`, body);
    expect(codeOf(got)).toEqual([400, 'invalid_answer']);
    expect(got.json.error?.errors?.map(({ path }) => path)).toEqual(paths);
    expect(got.json.error?.hint).toBeTypeOf('string');
    expect((await broker.get(id)).state).toBe('pending');
  });

  test.each([
    ['no JSON', '{"content":'],
    ['no object', '[]'],
    ['content that is not an object', '{"content":[1]}'],
    ['a member that is not known', '{"content":{"repo":"x"},"force":true}'],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('400 for a body of another shape: %s', async (_name, body) => {
    const { broker, ask } = await serveApi();
    const { id } = await broker.open(question());
    const headers = { 'content-type': 'application/json' };
    const got = await ask(`/v1/elicit/${id}/accept`, { method: 'POST', body, headers });
    expect(codeOf(got)).toEqual([400, 'usage']);
    expect((await broker.get(id)).state).toBe('pending');
  });

  test('names like __proto__ are names like any other', async () => {
    const { broker, post } = await serveApi();
    const schema = '{"type":"object","properties":{"__proto__":{"type":"string"}}}';
    const { id } = await broker.open(question({ requestedSchema: schema }));
    expect((await post(`/v1/elicit/${id}/accept`, '{"content":{"__proto__":"x"}}')).status).toBe(200);
    expect((await broker.get(id)).answer?.content).toBe('{"__proto__":"x"}');
  });

  test('a URL needs consent and nothing else; done says that the person has finished', async () => {
    const { broker, post } = await serveApi();
    const { id } = await broker.open(urlQuestion());
    for (const body of ['{}', '{"content":{}}', '{"consent":true,"content":{}}'])
      expect(codeOf(await post(`/v1/elicit/${id}/accept`, body))).toEqual([400, 'invalid_answer']);
    expect(codeOf(await post(`/v1/elicit/${id}/accept`, '{"consent":"yes"}'))).toEqual([400, 'usage']);
    expect(codeOf(await post(`/v1/elicit/${id}/done`))).toEqual([400, 'usage']);
    expect((await post(`/v1/elicit/${id}/accept`, { consent: true })).json).toMatchObject({
      state: 'accepted',
    });
    const done = await post(`/v1/elicit/${id}/done`, {});
    expect(done.json['completedAt']).toBeTypeOf('string');
    expect((await post(`/v1/elicit/${id}/done`)).text).toBe(done.text);
  });

  test('done is refused for a form and for a question that ended otherwise', async () => {
    const { broker, post } = await serveApi();
    const form = await broker.open(question());
    expect(codeOf(await post(`/v1/elicit/${form.id}/done`))).toEqual([400, 'usage']);
    const declined = await broker.open(urlQuestion());
    await broker.answer(declined.id, { action: 'decline', by: 'tui' });
    expect(codeOf(await post(`/v1/elicit/${declined.id}/done`))).toEqual([409, 'already_answered']);
    expect(codeOf(await post(`/v1/elicit/${UNKNOWN}/done`))).toEqual([404, 'not_found']);
  });

  test('a URL that cannot be opened cannot be accepted (C25)', async () => {
    const { broker, post } = await serveApi();
    const { id } = await broker.open(urlQuestion('javascript:alert(1)'));
    expect(codeOf(await post(`/v1/elicit/${id}/accept`, { consent: true }))).toEqual([403, 'forbidden']);
    expect((await post(`/v1/elicit/${id}/decline`)).status).toBe(200);
  });

  test('409 says who won, with the row as the winner left it', async () => {
    const { broker, post } = await serveApi();
    const { id } = await broker.open(question());
    const first = await broker.answer(id, { action: 'accept', content: '{"repo":"x"}', by: 'host' });
    for (const action of ['accept', 'decline', 'cancel']) {
      const got = await post(
        `/v1/elicit/${id}/${action}`,
        action === 'accept' ? { content: { repo: 'y' } } : {},
      );
      expect(codeOf(got)).toEqual([409, 'already_answered']);
      expect(got.json.error?.message).toContain('by the host');
      expect(got.text.endsWith(`,"row":${rowJson(first.row)}}`)).toBe(true);
    }
    const gone = await broker.open(question());
    await broker.withdraw(gone.id, 'the call has ended');
    expect(codeOf(await post(`/v1/elicit/${gone.id}/cancel`))).toEqual([409, 'withdrawn']);
  });

  test('of 20 answers at once one wins, and the others are told so', async () => {
    const { broker, post } = await serveApi();
    const { id } = await broker.open(question());
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post(`/v1/elicit/${id}/accept`, { content: { repo: `r${n}` } })),
    );
    const won = all.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(all.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(JSON.parse(rowJson(await broker.get(id)))).toEqual(won[0]?.json);
  });

  test.each([
    ['the content', (size: number) => JSON.stringify({ content: { repo: 'x'.repeat(size) } })],
    ['the body around it', (size: number) => `{"content":{"repo":"x"}${' '.repeat(size + 9_000)}}`],
  ])('413 names the limit: %s', async (_name, body) => {
    const { broker, post } = await serveApi();
    const { id } = await broker.open(question());
    const got = await post(`/v1/elicit/${id}/accept`, body(1_000));
    expect(codeOf(got)).toEqual([413, 'limit']);
    expect(got.json.error?.hint).toContain('limits.answerBytes');
    expect((await broker.get(id)).state).toBe('pending');
    const most = 1_000 - '{"repo":""}'.length;
    expect((await post(`/v1/elicit/${id}/accept`, { content: { repo: 'x'.repeat(most) } })).status).toBe(200);
  });
});

test('413 also where the gateway that asks allows less, 403 where the host alone may answer', async () => {
  const { broker, post, stateDir } = await serveApi();
  const other = await openBroker({
    stateDir,
    clock: systemClock,
    log: silent,
    role: 'gateway',
    keep: 1_000_000,
    answerBytes: 20,
  });
  onTestFinished(() => other.close());
  const { id } = await other.open(question());
  const got = await post(`/v1/elicit/${id}/accept`, { content: { repo: 'x'.repeat(30) } });
  expect(codeOf(got)).toEqual([413, 'limit']);
  expect((await post(`/v1/elicit/${id}/accept`, { content: { repo: 'x' } })).status).toBe(200);
  const hosts = await broker.open(question({ audience: 'host' }));
  expect(codeOf(await post(`/v1/elicit/${hosts.id}/decline`))).toEqual([403, 'forbidden']);
});

describe('C20: rows of another principal', () => {
  test('are not listed, and are as unknown as those that never were', async () => {
    const warned: unknown[] = [];
    const log = { debug() {}, info() {}, error() {}, warn: (fields: unknown) => warned.push(fields) };
    const { broker, ask, post } = await serveApi({ log });
    const mine = await broker.open(question({ principal: 'ci' }));
    const other = await broker.open(question());
    const how = { token: CI_TOKEN };
    expect((await ask('/v1/elicit', how)).text).toBe(`{"rows":[${rowJson(mine)}]}`);
    const asUnknown = (text: string): string => text.replaceAll(other.id, UNKNOWN);
    const unknown = await ask(`/v1/elicit/${UNKNOWN}`, how);
    const foreign = await ask(`/v1/elicit/${other.id}`, how);
    expect([foreign.status, asUnknown(foreign.text)]).toEqual([404, unknown.text]);
    for (const action of ['accept', 'decline', 'cancel', 'done']) {
      const body = action === 'accept' ? { content: { repo: 'x' } } : {};
      const [a, b] = [
        await post(`/v1/elicit/${other.id}/${action}`, body, how),
        await post(`/v1/elicit/${UNKNOWN}/${action}`, body, how),
      ];
      expect([a.status, asUnknown(a.text)]).toEqual([404, b.text]);
    }
    // A prefix must not tell that there is another row beside one's own.
    expect((await ask('/v1/elicit/elc-', how)).text).toBe(rowJson(mine));
    expect((await broker.get(other.id)).state).toBe('pending');
    expect(warned).toHaveLength(5);
    expect(warned[0]).toMatchObject({ row: other.id, principal: 'ci' });
    expect((await post(`/v1/elicit/${mine.id}/decline`, {}, how)).status).toBe(200);
    expect((await post(`/v1/elicit/${other.id}/decline`)).status).toBe(200);
  });
});
