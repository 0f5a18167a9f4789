// What the host side itself puts on the wire, at every legacy revision and on both transports, held against the schema.
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createHandler } from '../support/host-handler.ts';
import { connectHttpHost } from '../support/host-http.ts';
import { connectStdioHost } from '../support/host-stdio.ts';
import { testScope } from '../support/scope.ts';
import { checkWire } from '../support/wire.ts';
import { openEndpoint, openPipes } from './support.ts';

const QUESTION =
  '{"message":"Which?","requestedSchema":{"type":"object","properties":{"x":{"type":"string"}}}}';
const welcome = () => ({
  capabilities: '{"tools":{"listChanged":true}}',
  instructions: 'Ask before you act.',
});

for (const transport of ['stdio', 'http'] as const) {
  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    `at %s over ${transport}`,
    async (revision) => {
      const stop = new AbortController();
      const asks = revision >= '2025-06-18';
      const handler = createHandler(
        {
          'tools/call': async (exchange, session) => {
            exchange.notify('notifications/progress', '{"progressToken":1,"progress":1}');
            if (!asks) return { result: '{"content":[]}' };
            const options = { signal: exchange.signal, via: exchange };
            const answered = await session.request('elicitation/create', QUESTION, options);
            const withdrawn = session.request('elicitation/create', QUESTION, {
              ...options,
              signal: stop.signal,
            });
            stop.abort(new Error('answered elsewhere'));
            await withdrawn.catch(() => {});
            return 'result' in answered ? { result: '{"content":[]}' } : answered;
          },
        },
        welcome,
      );
      const options = { revision, answer: () => ({ result: '{"action":"decline"}' }) };
      const host =
        transport === 'http'
          ? await connectHttpHost((await openEndpoint({ handler })).url, options)
          : await onPipes();
      expect(await host.request('ping')).toBe('{}');
      expect(await host.request('tools/call', '{"name":"ask","_meta":{"progressToken":1}}')).toBe(
        '{"content":[]}',
      );
      await expect(host.request('no/such')).rejects.toThrow('-32601');
      if (asks) {
        const taken = await host.received(
          'the withdrawal',
          ({ method }) => method === 'notifications/cancelled',
        );
        expect(taken['params']).toEqual({ requestId: JSON.parse((await host.question(1)).id) });
      }
      await checkWire(host.wire, { revision });

      function onPipes() {
        const input = new PassThrough();
        const output = new PassThrough();
        const { served } = openPipes({ handler, input, output });
        testScope().defer(() => served.close('The test is over.'));
        return connectStdioHost({ stdin: input, stdout: output }, options);
      }
    },
  );
}
