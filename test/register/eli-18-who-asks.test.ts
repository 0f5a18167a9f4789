// ELI-18: the host sees which server asks, by its key in the config; the row keeps the server's own words.
import { expect, test } from 'vitest';
import { CAN_ASK, scene } from '../support/scene.ts';

const message = (text: string) =>
  JSON.stringify({ message: text, requestedSchema: { type: 'object', properties: {} } });

const READ = [
  ['Which one?', 'github (via mcpx) asks: Which one?'],
  ['github (via mcpx) asks: Which one?', 'github (via mcpx) asks: Which one?'],
  ['github: Which one?', 'github: Which one?'],
  ['gitlab: Which one?', 'github (via mcpx) asks: gitlab: Which one?'],
  ['gitlab (via mcpx) asks: Which?', 'github (via mcpx) asks: gitlab (via mcpx) asks: Which?'],
  ['Is github up?', 'github (via mcpx) asks: Is github up?'],
] as const;

test.each(['2025-06-18', '2025-11-25'])(
  'a %s host reads who asks; the row has the own words',
  async (revision) => {
    const { host, gateway } = await scene({
      server: 'github',
      upstream: { flags: ['--name', 'something-else'] },
      host: { revision, capabilities: CAN_ASK, answer: () => ({ result: '{"action":"cancel"}' }) },
    });
    for (const [own] of READ) await host.ask({ params: message(own) });
    const read = host.questions.map(({ params }) => JSON.parse(params ?? '').message);
    expect(read).toEqual(READ.map(([, expected]) => expected));
    const rows = await gateway.rows(['--all']);
    expect(rows.map((row) => row.message).toSorted()).toEqual(READ.map(([own]) => own).toSorted());
    expect(new Set(rows.map(({ server, tool }) => `${server} ${tool}`))).toEqual(new Set(['github ask']));
  },
);
