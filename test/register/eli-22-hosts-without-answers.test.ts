// ELI-22: a host that has nothing to answer with is not asked, or once; its error is never made into an answer.
import { expect, test } from 'vitest';
import { HOST_TRANSPORTS } from '../support/gateway.ts';
import { answersOf, CAN_ASK, scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const REFUSAL = '{"code":-32601,"message":"Method not found","data":{"n":1.0}}';

const NO_ANSWERS = [
  { error: REFUSAL },
  { result: '{}' },
  { result: '{"action":"maybe"}' },
  { result: '"accept"' },
];

test.each(HOST_TRANSPORTS)(
  'a host over %s whose reply is no answer leaves the question with the broker, and is not asked again',
  async (transport) => {
    const { host, gateway, row } = await scene({ transport, host: { capabilities: CAN_ASK } });
    for (const [index, reply] of NO_ANSWERS.entries()) {
      host.answerWith(() => reply);
      const call = host.startCall('ask');
      const { id } = await until('the reason on the row', async () => {
        const found = await row();
        return found.reason !== undefined && found;
      });
      expect(await gateway.mcpx(['elicit', 'accept', id, '-F', 'repo=x'])).toMatchObject({ code: 0 });
      expect(await answersOf(call.reply)).toEqual(['{"action":"accept","content":{"repo":"x"}}']);
      expect(host.questions).toHaveLength(index + 1);
    }
  },
);

test('with the broker off the upstream gets the error of the host, as it came', async () => {
  const { host } = await scene({
    config: { elicit: { audience: 'host' } },
    host: { capabilities: CAN_ASK, answer: () => ({ error: REFUSAL }) },
  });
  expect((await host.ask()).answers).toEqual([REFUSAL]);
});

test('a host that declared nothing is never sent a question', async () => {
  const { host, gateway, row } = await scene({ transport: 'stdio' });
  const call = host.startCall('ask');
  await gateway.mcpx(['elicit', 'cancel', (await row()).id]);
  await call.reply;
  expect(host.questions).toEqual([]);
});
