// C06: decline and cancel carry no content and are not validated, whatever the host sends along.
import { expect, test } from 'vitest';
import { HOST_TRANSPORTS } from '../support/gateway.ts';
import { CAN_ASK, scene } from '../support/scene.ts';

test.each(HOST_TRANSPORTS)('over %s', async (transport) => {
  const { host } = await scene({ transport, host: { capabilities: CAN_ASK } });
  const cases = [
    ['{"action":"cancel"}', '{"action":"cancel"}'],
    ['{"action":"decline","content":null}', '{"action":"decline"}'],
    ['{"action":"decline","content":{"x":1}}', '{"action":"decline"}'],
    ['{"content":{},"action":"cancel"}', '{"action":"cancel"}'],
    ['{"action":"decline","_meta":{"a":1},"more":true}', '{"action":"decline"}'],
  ] as const;
  for (const [said, passed] of cases) {
    host.answerWith(() => ({ result: said }));
    expect((await host.ask()).answers).toEqual([passed]);
  }
});
