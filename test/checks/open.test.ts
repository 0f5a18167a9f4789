// Forms checked off the main thread: what is too dear does not fit, costs its own asker only, and holds up nobody.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, describe, expect, test } from 'vitest';
import { openChecks } from '../../src/checks/open.ts';
import { formOf } from '../../src/form/form-of.ts';
import { check, checkContent } from '../../src/form/jobs.ts';
import { isPlain } from '../../src/form/plain.ts';
import { LATE } from '../../src/form/words.ts';

const checks = openChecks();
afterAll(() => checks.close());

const late = { ok: false, problems: [{ path: '', message: LATE }] };
const schema = (properties: object, more: object = {}) =>
  JSON.stringify({ type: 'object', properties, ...more });

/** Two ways at each of 25 levels. */
function branching(): string {
  const $defs: Record<string, unknown> = { d24: { type: 'string', minLength: 1000 } };
  for (let level = 0; level < 24; level += 1) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { anyOf: [next, next] };
  }
  return schema({ a: { $ref: '#/$defs/d0', default: 'x' } }, { $defs });
}

test('a check that is too dear does not fit, and the other asker is served meanwhile', async () => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const order: string[] = [];
  const bombs = Array.from({ length: 3 }, async () => {
    const checked = await checks.content('bomb', branching(), '{"a":"x"}');
    order.push('bomb');
    return checked;
  });
  const honest = checks.content('honest', schema({ a: { type: 'string', pattern: '^x+$' } }), '{"a":"xx"}');
  expect(await honest).toEqual({ ok: true, content: '{"a":"xx"}' });
  order.push('honest');
  expect(await Promise.all(bombs)).toEqual([late, late, late]);
  expect(order).toEqual(['honest', 'bomb', 'bomb', 'bomb']);
  // Each of the bombs holds up whatever thread it runs on for a second.
  expect(delay.max / 1e6).toBeLessThan(800);
});

test('a default that can not be checked in time is left out', async () => {
  const form = await checks.form('bomb', branching());
  expect(form.fields).toMatchObject([{ name: 'a', initial: undefined }]);
  const slow = schema({ a: { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(40)}!` } });
  expect((await checks.form('bomb', slow)).fields).toMatchObject([{ name: 'a', initial: undefined }]);
});

test('an expression that does not end finds nothing, and says so', async () => {
  expect(await checks.found('bomb', '^(a+)+$', `${'a'.repeat(40)}!`)).toBeUndefined();
  expect(await checks.found('honest', '^(a+)+$', 'aaa')).toBe(true);
  expect(await checks.found('honest', 'delete', 'Really delete it?')).toBe(true);
});

test('a check whose thread is gone does not fit', async () => {
  const own = openChecks();
  const running = own.content('bomb', branching(), '{"a":"x"}');
  await own.close();
  expect(await running).toEqual(late);
  expect(await own.content('bomb', branching(), '{"a":"x"}')).toEqual(late);
});

describe('what is checked in place', () => {
  const PLAIN: [string, string, string[]][] = [
    ['no fields', schema({}), ['{}', '{"a":1}']],
    [
      'a text',
      schema({ a: { type: 'string', minLength: 2 } }, { required: ['a'] }),
      ['{}', '{"a":"x"}', '{"a":"xx"}'],
    ],
    [
      'a number',
      schema({ a: { type: 'number', multipleOf: 0.1 } }),
      ['{"a":0.3}', '{"a":0.35}', '{"a":"x"}'],
    ],
    [
      'a choice',
      schema({ a: { type: 'string', enum: ['x', 'y'] } }),
      ['{"a":"x"}', '{"a":"z"}', '{"a":null}'],
    ],
    [
      'several choices',
      schema({
        a: { type: 'array', items: { anyOf: [{ const: 'x' }, { const: 'y', title: 'Y' }] }, minItems: 1 },
      }),
      ['{"a":["x"]}', '{"a":[]}', '{"a":["x","x"]}', '{"a":["z"]}'],
    ],
    [
      'no others',
      schema({ a: { type: 'boolean' } }, { additionalProperties: false }),
      ['{"a":true}', '{"b":1}'],
    ],
  ];

  test.each(PLAIN)('%s, with the verdict of the whole schema', async (_name, text, contents) => {
    expect(isPlain(formOf(text))).toBe(true);
    for (const content of contents)
      expect(await checks.content('x', text, content)).toEqual(checkContent(formOf(text), content));
    const form = formOf(text);
    expect(await checks.draft('x', form, new Map())).toEqual(check(form, new Map()));
  });

  test.each<[string, string]>([
    ['a pattern', schema({ a: { type: 'string', pattern: 'x' } })],
    ['a reference', schema({ a: { $ref: '#/$defs/x' } }, { $defs: { x: {} } })],
    ['fields that depend on each other', schema({ a: { type: 'string' } }, { allOf: [{}] })],
    ['a choice with a length', schema({ a: { type: 'string', enum: ['x'], minLength: 2 } })],
    ['a choice that appears twice', schema({ a: { oneOf: [{ const: 'x' }, { const: 'x' }] } })],
    ['a bound of the wrong type', schema({ a: { type: 'string', minLength: '2' } })],
    ['a long schema', schema({ a: { type: 'string', description: 'x'.repeat(20_000) } })],
    ['another dialect', schema({}, { $schema: 'urn:other' })],
    ['a hostile name', '{"type":"object","properties":{"__proto__":{"type":"string"}}}'],
    ['no object', '{"type":"array"}'],
  ])('not %s', (_name, text) => {
    expect(isPlain(formOf(text))).toBe(false);
  });
});
