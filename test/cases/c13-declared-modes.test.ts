// C13: what a host declared decides mode by mode what it is asked; whatever is malformed counts as not declared.
import { expect, test } from 'vitest';
import { scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { urlParams } from '../support/url.ts';

const FORM = '{"message":"m","requestedSchema":{"type":"object","properties":{}}}';
const DECLINE = { result: '{"action":"decline"}' };

test.each<[string, string, string[]]>([
  ['2025-11-25', '{"elicitation":{}}', ['form']],
  ['2025-11-25', '{"elicitation":{"form":{}}}', ['form']],
  ['2025-11-25', '{"elicitation":{"url":{}}}', ['url']],
  ['2025-11-25', '{"elicitation":{"form":{},"url":{}}}', ['form', 'url']],
  ['2025-11-25', '{"elicitation":{"form":true,"url":{}}}', ['url']],
  ['2025-11-25', '{}', []],
  ['2025-11-25', '{"elicitation":true}', []],
  ['2025-11-25', '{"elicitation":[]}', []],
  ['2025-11-25', '{"elicitation":null}', []],
  ['2025-06-18', '{"elicitation":{}}', ['form']],
  ['2025-06-18', '{"elicitation":{"url":{}}}', ['form']],
  ['2025-06-18', '{"elicitation":true}', []],
  ['2025-03-26', '{"elicitation":{"form":{},"url":{}}}', []],
  ['2024-11-05', '{"elicitation":{}}', []],
])('at %s, %s is asked inline: %j', async (revision, capabilities, modes) => {
  const { host, gateway } = await scene({
    host: { revision, capabilities, answer: () => DECLINE },
  });
  const call = host.startCall('ask', { params: [FORM, urlParams()] });
  // By their modes: what the host is asked is pending too, for the moment that it takes to answer.
  const others = ['form', 'url'].filter((mode) => !modes.includes(mode));
  for (const mode of others) {
    const { id } = await until(`the ${mode} question`, async () =>
      (await gateway.rows()).find((row) => row.mode === mode),
    );
    await gateway.mcpx(['elicit', 'decline', id]);
  }
  expect(await call.reply).toHaveProperty('result');
  const asked = host.questions.map(
    ({ params }) => (JSON.parse(params ?? '{}') as { mode?: string }).mode ?? 'form',
  );
  expect(asked.sort()).toEqual(modes);
  const rows = await gateway.rows(['--all']);
  expect(
    rows
      .filter(({ answer }) => answer?.by === 'host')
      .map(({ mode }) => mode)
      .sort(),
  ).toEqual(modes);
});

test('an unknown mode is -32602, and leaves no row', async () => {
  const { host, gateway } = await scene({ host: { capabilities: '{"elicitation":{"form":{},"url":{}}}' } });
  const { answers } = await host.ask({ params: FORM.replace('{', '{"mode":"voice",') });
  expect(JSON.parse(answers[0] ?? '')).toMatchObject({ code: -32602 });
  expect(await gateway.rows(['--all'])).toEqual([]);
});
