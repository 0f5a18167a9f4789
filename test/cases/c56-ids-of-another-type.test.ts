// C56: an id means the same in every spelling, and one in another type never leaves a call waiting.
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveLong } from '../../fixtures/long-http.mjs';
import { idKey, isToken, matchId } from '../../src/protocol/ids.ts';
import { createScope } from '../support/create-scope.ts';
import { HOST_TRANSPORTS, install, startGateway } from '../support/gateway.ts';
import { type Host, toolText } from '../support/host.ts';
import { modernHttpHost } from '../support/modern-host-http.ts';
import { ROOT } from '../support/processes.ts';
import { CAN_ASK, scene } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';

const odd = { command: process.execPath, args: [join(ROOT, 'fixtures', 'odd-replies.mjs')] };
let gateway: Awaited<ReturnType<typeof startGateway>>;
let host: Host;

const file = createScope();
afterAll(() => file.close());
beforeAll(async () => {
  gateway = await startGateway(file, { servers: { odd } });
  host = await gateway.connect({ capabilities: CAN_ASK });
});

const logged = (words: string): string[] =>
  gateway.process
    .stderr()
    .split('\n')
    .filter((line) => line.includes(words));

test.each(['@', '@.0', '@e0', '@.00E+0', '"@"', '" @ "', '"@.0"'])(
  'an upstream that replies with the id %s is heard',
  async (id) => {
    expect(await host.call('spelled', { id })).toBe('odd');
  },
);

describe.each(['streamable', 'older', 'modern', 'stdio', 'stdio --modern'])('an upstream of %s', (kind) => {
  /** A host of 2026-07-28 before one such upstream. */
  async function behind() {
    const scope = testScope();
    const far = kind.startsWith('stdio') ? undefined : await serveLong(kind as 'modern');
    scope.defer(() => far?.close());
    const flags = kind.split(' ').slice(1);
    const entry = far ? { url: far.url } : { ...odd, args: [...odd.args, ...flags] };
    const it = await startGateway(scope, { servers: { odd: entry } });
    return modernHttpHost(it.url);
  }
  const tool = (id: string) => ['spelled', { id, spelled: id }] as const;

  test('is heard by hosts of 2026-07-28 under every spelling of an id', async () => {
    const modern = await behind();
    for (const id of ['@', '@.0', '@e0', '"@"', '" @ "']) {
      expect(toolText(await modern.call(...tool(id)).reply)).toBe('odd');
      if (kind === 'streamable' || kind === 'modern')
        expect(toolText(await modern.call('spelled', { spelled: id, json: true }).reply)).toBe('odd');
    }
  });

  test('ends the only call of such a host at once with an id that fits none', async () => {
    const modern = await behind();
    for (const id of ['"other"', '{"a":@}', '[@]', 'true', '@.5', '-@', '99999999999999999999', '1e400']) {
      expect(JSON.stringify(await modern.call(...tool(id)).reply)).toContain(
        'replied with an id that mcpx never sent',
      );
    }
  });
});

const META = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}`;
const modernCall = (id: string, name: string, meta = META): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":{},"_meta":{${meta}}}}`;

async function postModern(body: string): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'params',
  };
  return await (await fetch(gateway.url, { method: 'POST', headers, body })).text();
}

test.each(['7', '7.0', '7e0', '-0', '"a"', '"\\u0061"', '""', '9007199254740993', '1e400', '"\\ud800"'])(
  'a host of 2026-07-28 gets the id %s back as it wrote it',
  async (id) => {
    expect(await postModern(modernCall(id, 'params'))).toMatch(`{"jsonrpc":"2.0","id":${id},"result":`);
  },
);

test.each(['null', 'true', '{}', '[]', '1,"id":2', '1,"\\u0069d":1'])(
  'a request of 2026-07-28 with the id %s is refused, and reaches nobody',
  async (id) => {
    const refused = JSON.parse(await postModern(modernCall(id, 'params')));
    expect(refused).toMatchObject({ error: { code: -32600 } });
    expect(refused).not.toHaveProperty('id');
  },
);

test.each(['null', '1.5', 'true', '{}', '[]'])(
  'a progressToken %s of 2026-07-28 is none, and does not reach the upstream',
  async (token) => {
    const { result } = JSON.parse(
      await postModern(modernCall('1', 'params', `${META},"progressToken":${token},"other":1`)),
    );
    expect(JSON.parse(result.content[0].text)._meta).toEqual({ other: 1 });
  },
);

test('an integer that no double holds is a progressToken of 2026-07-28', async () => {
  const answer = await postModern(modernCall('1', 'params', `${META},"progressToken":9007199254740993`));
  expect(JSON.parse(JSON.parse(answer).result.content[0].text)._meta).toHaveProperty('progressToken');
});

test('over stdio a host of 2026-07-28 has each id open once, and cancels it in any spelling', async () => {
  const { start, rows } = install(testScope(), { servers: { odd } });
  const { pipes } = start(['serve', '--stdio'], {}, true);
  const lines: string[] = [];
  createInterface({ input: pipes.stdout }).on('line', (line) => lines.push(line));
  const say = (line: string): boolean => pipes.stdin.write(`${line}\n`);
  const reply = (id: string): Promise<string> =>
    until(`the reply to ${id}`, () => lines.find((line) => line.startsWith(`{"jsonrpc":"2.0","id":${id},`)));
  const cancel = (id: string): boolean =>
    say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
  for (const [id, same, cancelled] of [
    ['5', '5.0', '5e0'],
    ['"6"', '"\\u0036"', '6'],
    ['70', '7e1', '"70"'],
  ] as const) {
    say(modernCall(id, 'wait'));
    say(modernCall(same, 'wait'));
    expect(await reply(same)).toContain('still open');
    cancel(cancelled);
    // Once it is given up, its id may be used again.
    await until('the id to be free', async () => {
      lines.length = 0;
      say(modernCall(same, 'params'));
      return (await reply(same)).includes('"result"');
    });
  }
  expect(await rows(['--all'])).toEqual([]);
});

test('that the type is another is logged once', async () => {
  await host.call('spelled', { id: '"@"' });
  expect(logged('in another type')).toHaveLength(1);
});

test.each(['"other"', '{"a":@}', '[@]', 'true', '@.5', '-@', '99999999', '1e400'])(
  'the only call ends at once when the reply has the id %s',
  async (id) => {
    await expect(host.call('spelled', { id })).rejects.toThrow('replied with an id that mcpx never sent');
  },
);

test('with several calls open a reply to none of them ends none', async () => {
  const other = host.startCall('wait');
  const lost = host.startCall('spelled', { id: '"other"' });
  await host.call('release');
  expect(await other.reply).toHaveProperty('result');
  await host.cancel(lost.id);
});

test.each([
  ['7', '7.0'],
  ['7', '"7"'],
  ['"8"', '8'],
  ['9e0', '9'],
])('a question %s that the upstream takes back as %s is closed', async (ask, back) => {
  await host.call('ask-and-take-back', { ask, back });
  const states = (await gateway.rows(['--all'])).map(({ state }) => state);
  expect(new Set(states)).toEqual(new Set(['withdrawn']));
});

test.each([null, 1.5, true, {}, []])(
  'a progressToken %j is none, and does not reach the upstream',
  async (token) => {
    const meta = JSON.stringify({ progressToken: token, other: 1 });
    const { id, reply } = host.startCall('params', {}, { meta });
    const { result } = (await reply) as { result: string };
    expect(JSON.parse(JSON.parse(result).content[0].text)._meta).toEqual({ other: 1 });
    expect(id).toBeDefined();
  },
);

test.each([
  ['77', '77.0'],
  ['78', '"78"'],
  ['"79"', '79'],
  ['8e1', '80'],
])('a host that opens %s cancels it as %s, over every transport', async (id, cancel) => {
  for (const transport of HOST_TRANSPORTS) {
    const it = await scene({ transport, exempt: ['requestId'] });
    it.host.startCall('ask', {}, { id });
    await it.pending(1);
    await it.host.notify('notifications/cancelled', `{"requestId":${cancel}}`);
    expect((await it.rowIn('withdrawn')).state).toBe('withdrawn');
  }
});

test('a requestId that is no id cancels nothing', async () => {
  const it = await scene({ exempt: ['requestId'] });
  const call = it.host.startCall('ask');
  await it.pending(1);
  for (const id of ['null', '{}', 'true', '1.5'])
    await it.host.notify('notifications/cancelled', `{"requestId":${id}}`);
  const { id } = await it.row();
  await it.gateway.mcpx(['elicit', 'decline', id]);
  expect(await call.reply).toHaveProperty('result');
});

test('a host whose answer has an id of no type that an id can have is not waited for', async () => {
  const it = await scene({ transport: 'stdio', host: { capabilities: CAN_ASK }, exempt: ['id'] });
  it.host.startCall('ask');
  await it.host.question();
  await it.host.raw('{"jsonrpc":"2.0","id":{"a":1},"result":{"action":"accept","content":{}}}');
  const row = await until('the question to be left to others', async () =>
    (await it.gateway.rows()).find(({ reason }) => reason !== undefined),
  );
  expect(row.reason).toContain('the host answered with an error');
});

test('ids are compared by value', () => {
  for (const one of ['5', '5.0', '5e0', '0.5e1', '50E-1', '5.000']) expect(idKey(one)).toBe('5');
  for (const zero of ['0', '-0', '0.0', '0e9']) expect(idKey(zero)).toBe('0');
  expect(idKey('9007199254740993')).not.toBe(idKey('9007199254740992'));
  expect(idKey('"\\u0061"')).toBe(idKey('"a"'));
  expect(idKey('"5"')).not.toBe(idKey('5'));
  expect(idKey('1e999999999')).toBe('1e999999999');
  for (const none of ['null', 'true', '{}', '[5]']) expect(idKey(none)).toBeUndefined();
  const open = new Map([
    ['5', 1],
    ['"6"', 1],
    ['"6.0"', 1],
  ]);
  expect(matchId(open, '"5"')).toEqual({ fit: 'other type', key: '5' });
  expect(matchId(open, '6')).toEqual({ fit: 'several' });
  expect(matchId(open, '7')).toEqual({ fit: 'none' });
  expect(['"a"', '1', '1.0', '1e3', '-4'].every(isToken)).toBe(true);
  expect(['1.5', 'null', 'true', '{}', '[]'].some(isToken)).toBe(false);
});
