// One rule for defaults: the same values give the same answer on every surface.
import { expect, test } from 'vitest';
import type { Row } from '../../../src/broker/types.ts';
import { initialDraft, setValue } from '../../../src/form/draft.ts';
import { formOf } from '../../../src/form/form-of.ts';
import { check } from '../../../src/form/jobs.ts';
import { readTyped } from '../../../src/form/typed.ts';
import { serveApiOf, TOKEN } from '../../api/support.ts';
import { type Bench, bench } from './run.ts';

const FIELDS = {
  name: { type: 'string' },
  note: { type: 'string', default: '' },
  count: { type: 'integer', default: 0, minimum: 0 },
  rate: { type: 'number', default: 1.5 },
  sure: { type: 'boolean', default: false },
  kind: { type: 'string', enum: ['bug', 'idea'], default: 'idea' },
  tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['b'] },
  // A default that does not fit its own field counts nowhere.
  mail: { type: 'string', format: 'email', default: 'nobody' },
} as const;

/** The question, whose answer its server takes at once. */
async function ask(at: Bench): Promise<Row> {
  const row = await at.ask(FIELDS, { required: ['name', 'kind'] });
  const taken = at.broker.settled(row.id).then(() => at.broker.delivered(row.id));
  // What is refused is still open when the test ends.
  taken.catch(() => undefined);
  return row;
}

const surfaces: Record<string, (at: Bench, given: Record<string, string>, fill: boolean) => Promise<string>> =
  {
    'elicit accept -F': async (at, given, fill) => {
      const row = await ask(at);
      const flags = Object.entries(given).flatMap(([name, value]) => ['-F', `${name}=${value}`]);
      await at.run(['elicit', 'accept', row.id, ...flags, ...(fill ? [] : ['--no-defaults'])]);
      return contentOf(at, row.id);
    },
    'elicit accept --input': async (at, given, fill) => {
      const row = await ask(at);
      const flags = ['--input', '-', ...(fill ? [] : ['--no-defaults'])];
      await at.run(['elicit', 'accept', row.id, ...flags], { stdin: JSON.stringify(typed(given)) });
      return contentOf(at, row.id);
    },
    'POST accept': async (at, given, fill) => {
      const { http, stop } = await serveApiOf(at.broker);
      const row = await ask(at);
      await fetch(new URL(`/v1/elicit/${row.id}/accept`, http.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ content: typed(given), ...(fill ? {} : { defaults: false }) }),
      });
      stop();
      await http.close('The test is over.');
      return contentOf(at, row.id);
    },
    'the form of prompts and inbox': async (at, given, fill) => {
      const form = formOf((await ask(at)).requestedSchema ?? '');
      let draft = initialDraft(form);
      // A person empties what is prefilled.
      if (!fill) for (const name of draft.keys()) draft = setValue(draft, name, undefined);
      for (const field of form.fields) {
        const read = readTyped(field, given[field.name] ?? '');
        if (given[field.name] !== undefined && read.ok) draft = setValue(draft, field.name, read.value);
      }
      const checked = check(form, draft);
      return checked.ok ? checked.content : 'refused';
    },
  };

/** The same values as JSON. */
function typed(given: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, name === 'count' ? Number(value) : value]),
  );
}

async function contentOf({ broker }: Bench, id: string): Promise<string> {
  return (await broker.get(id)).answer?.content ?? 'refused';
}

const FULL = '{"name":"x","note":"","count":0,"rate":1.5,"sure":false,"kind":"idea","tags":["b"]}';

test.each([
  [{ name: 'x' }, true, FULL],
  [
    { kind: 'bug', count: '7', name: 'x' },
    true,
    FULL.replace('"count":0', '"count":7').replace('idea', 'bug'),
  ],
  [{}, true, 'refused'],
  [{ name: 'x', kind: 'bug' }, false, '{"name":"x","kind":"bug"}'],
  [{ name: 'x' }, false, 'refused'],
] as const)('%j, with defaults: %s, is %s everywhere', async (given, fill, content) => {
  const at = await bench();
  for (const [surface, answer] of Object.entries(surfaces))
    expect(await answer(at, given, fill), surface).toBe(content);
});

test('a content that leaves nothing out is sent as it was written', async () => {
  const at = await bench();
  const row = await at.ask({ n: { type: 'number', default: 1 } });
  await at.run(['elicit', 'accept', row.id, '--input', '-'], { stdin: '{ "n" : 1e2 }' });
  expect(await contentOf(at, row.id)).toBe('{ "n" : 1e2 }');
});

test('OpenAPI says what becomes of what is left out', async () => {
  const { http, stop } = await serveApiOf((await bench()).broker);
  const { paths } = (await (await fetch(new URL('/openapi.json', http.url))).json()) as {
    paths: Record<string, { post?: { description?: string } }>;
  };
  expect(paths['/v1/elicit/{id}/accept']?.post?.description).toMatch(/left out|leaves out.*default/);
  stop();
  await http.close('The test is over.');
});

test('through a gateway elsewhere a field that was emptied stays out', async () => {
  const at = await bench();
  const { http, stop } = await serveApiOf(at.broker);
  const row = await ask(at);
  const env = { MCPX_URL: http.url, MCPX_TOKEN: TOKEN };
  await at.run(['elicit', 'accept', row.id, '-F', 'name=x', '-F', 'rate=', '-F', 'sure='], { env });
  expect(await contentOf(at, row.id)).toBe('{"name":"x","note":"","count":0,"kind":"idea","tags":["b"]}');
  stop();
  await http.close('The test is over.');
});
