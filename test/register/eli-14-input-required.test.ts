// ELI-14: in 2026-07-28 a question is a bare {method, params} inside input_required, and its answer a bare {action, content}.
import { expect, test } from 'vitest';
import { askedBy, responsesOf } from '../support/modern-host.ts';
import { answersIn, type ModernScene, modernScene } from '../support/modern-scene.ts';
import { until } from '../support/until.ts';

const SCHEMA = '{"type":"object","properties":{"n":{"type":"number","default":1.50}},"required":["n"]}';
/** A form with all that another revision or another way of asking may put into it. */
const FORM = `{"mode":"form","message":"How many?","requestedSchema":${SCHEMA},"_meta":{"progressToken":1},"task":{"ttl":1}}`;
const URL_WITH_ID =
  '{"mode":"url","elicitationId":"u-1","url":"https://mcp.example.com/c","message":"Link","_meta":{"a":1}}';
const URL_PLAIN = '{"mode":"url","url":"https://mcp.example.com/c","message":"Link"}';

/** The raw text of the entries of the last input_required that the host got. */
function rawEntries({ host }: ModernScene): string {
  const text =
    host.wire.findLast(({ dir, text }) => dir === 'in' && text.includes('input_required'))?.text ?? '';
  return text.slice(text.indexOf('"inputRequests":'), text.indexOf(',"requestState"'));
}

for (const revision of ['2026-07-28', '2025-11-25'])
  for (const transport of ['http', 'stdio'] as const) {
    const upstream = { revision, transport };

    test(`a form of an upstream at ${revision} over ${transport}: bare params, the schema as it was written, content back as it was given`, async () => {
      const it = await modernScene({ upstream });
      const interim = askedBy(await it.host.call('ask', { params: [FORM] }).reply);
      const [key] = interim.requests.map((input) => input.key);
      expect(rawEntries(it)).toBe(
        `"inputRequests":{${JSON.stringify(key)}:{"method":"elicitation/create","params":{"mode":"form","message":"fixture (via mcpx) asks: How many?","requestedSchema":${SCHEMA}}}}`,
      );
      // A result of its own would have these; an answer inside inputResponses has not.
      const given = '{"action":"accept","content":{"n":1.0},"_meta":{"x":1},"resultType":"complete"}';
      const responses = responsesOf([[key ?? '', given]]);
      const reply = await it.host.call('ask', { params: [FORM] }, { state: interim.state, responses }).reply;
      expect(answersIn(reply)).toEqual(['{"action":"accept","content":{"n":1.0}}']);
    });

    test(`a url of an upstream at ${revision} over ${transport}: no elicitationId; accept is consent, and the outcome comes with the retry`, async () => {
      const it = await modernScene({ upstream });
      const params = revision === '2026-07-28' ? URL_PLAIN : URL_WITH_ID;
      const interim = askedBy(await it.host.call('ask', { params: [params] }).reply);
      expect(interim.requests.map((input) => input.params)).toEqual([
        { mode: 'url', url: 'https://mcp.example.com/c', message: 'fixture (via mcpx) asks: Link' },
      ]);
      const responses = responsesOf(
        interim.requests.map(({ key }) => [key, '{"action":"accept","content":{"secret":"x"}}']),
      );
      const reply = await it.host.call('ask', { params: [params] }, { state: interim.state, responses })
        .reply;
      expect(answersIn(reply)).toEqual(['{"action":"accept"}']);
      await until('the row', async () => (await it.gateway.rows(['--all']))[0]?.deliveredAt !== undefined);
      expect(
        it.host.wire.some(({ text }) => text.includes('elicitationId') && text.includes('input_required')),
      ).toBe(false);
      expect(it.host.wire.some(({ text }) => text.includes('notifications/elicitation/complete'))).toBe(
        false,
      );
    });
  }

test.each(['decline', 'cancel'])('%s stays what it is, without content', async (action) => {
  const it = await modernScene();
  const reply = await it.host.through('ask', {}, () => `{"action":"${action}","content":{"repo":"x"}}`);
  expect(answersIn(reply)).toEqual([`{"action":"${action}"}`]);
});

test('an accept of a form without content is sent with none filled in', async () => {
  const it = await modernScene();
  expect(answersIn(await it.host.through('ask', {}, () => '{"action":"accept"}'))).toEqual([
    '{"action":"accept","content":{}}',
  ]);
});

test.each([
  ['empty', ''],
  ['__proto__', '__proto__'],
  ['dotted', 'a.b/c'],
  ['of 300 characters', 'k'.repeat(300)],
])('a key of the upstream that is %s is the key the host is given', async (_what, key) => {
  const it = await modernScene();
  const seen: string[] = [];
  const reply = await it.host.through('ask', { keys: [key] }, (input) => {
    seen.push(input.key);
    return '{"action":"decline"}';
  });
  expect(seen).toEqual([key]);
  expect(answersIn(reply)).toEqual(['{"action":"decline"}']);
});

test('the host is asked only what this very request declares', async () => {
  const it = await modernScene({ upstream: { revision: '2025-11-25' } });
  const args = { params: [FORM, URL_WITH_ID] };
  const form = askedBy(await it.host.call('ask', args, { capabilities: '{"elicitation":{}}' }).reply);
  expect(form.requests.map(({ params }) => params['mode'])).toEqual(['form']);
  const url = askedBy(await it.host.call('ask', args, { capabilities: '{"elicitation":{"url":{}}}' }).reply);
  expect(url.requests.map(({ params }) => params['mode'])).toEqual(['url']);
});
