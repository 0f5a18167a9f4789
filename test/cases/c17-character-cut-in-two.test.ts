// C17: a character cut in two by the pipe arrives whole, at the host, in the store and on every screen.
import { expect, test } from 'vitest';
import { askedOf } from '../support/asking.ts';
import { CAN_ASK, scene } from '../support/scene.ts';

const MESSAGE = 'Prüfe — 確認 🙂';
const SCHEMA = '{"type":"object","properties":{"ja":{"type":"boolean","title":"確認 🙂"}}}';

test.each(['1', '3'])('%s bytes at a time, to the host', async (split) => {
  const { host } = await scene({
    upstream: { flags: ['--split', split] },
    host: { capabilities: CAN_ASK, answer: () => ({ result: '{"action":"cancel"}' }) },
  });
  await host.ask({ params: JSON.stringify({ message: MESSAGE, requestedSchema: JSON.parse(SCHEMA) }) });
  const { message, requestedSchema } = JSON.parse(host.questions[0]?.params ?? '');
  expect(message).toBe(`fixture (via mcpx) asks: ${MESSAGE}`);
  expect(requestedSchema).toEqual(JSON.parse(SCHEMA));
});

test('in the store, in `show` and in `list`', async () => {
  const { elicit, gateway, row0 } = await askedOf(SCHEMA, { upstream: { flags: ['--split', '1'] } }, MESSAGE);
  expect(row0.message).toBe(MESSAGE);
  const shown = await elicit('show');
  expect(shown.stdout).toContain(MESSAGE);
  expect(shown.stdout).not.toContain('\ufffd');
  expect((await gateway.mcpx(['elicit', 'list'])).stdout).toContain(MESSAGE);
});

test('an answer with such characters, to a server that reads them', async () => {
  const { host, elicit, answer } = await askedOf('{"type":"object","properties":{"s":{"type":"string"}}}');
  expect(await elicit('accept', '-F', `s=${MESSAGE}`)).toMatchObject({ code: 0 });
  expect(JSON.parse(await answer()).content.s).toBe(MESSAGE);
  expect(await host.call('echo', { s: MESSAGE })).toContain(MESSAGE);
});
