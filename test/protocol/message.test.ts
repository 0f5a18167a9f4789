import { describe, expect, it } from 'vitest';
import * as wire from '../../src/protocol/message.ts';
import { lintIfPresent } from '../support/wire-lint.ts';

describe('a message', () => {
  it.each([
    [
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      { kind: 'request', id: '1', method: 'ping', params: undefined },
    ],
    [
      '{"id":"a\\u0062","params":{"x":1.0},"method":"tools/call","jsonrpc":"2.0","extra":[]}',
      { kind: 'request', id: '"a\\u0062"', method: 'tools/call', params: '{"x":1.0}' },
    ],
    [
      '{"jsonrpc":"2.0","id":12345678901234567890123,"method":"ping","params":null}',
      { kind: 'request', id: '12345678901234567890123', method: 'ping', params: undefined },
    ],
    ['{"jsonrpc":"2.0","method":"a\\/b"}', { kind: 'notification', method: 'a/b', params: undefined }],
    ['{"jsonrpc":"2.0","id":7,"result":{"a":1,"a":2}}', { kind: 'result', id: '7', result: '{"a":1,"a":2}' }],
    ['{"jsonrpc":"2.0","id":"7","result":5}', { kind: 'result', id: '"7"', result: '5' }],
    [
      '{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"m","data":1.0}}',
      { kind: 'error', id: '7', error: '{"code":-1,"message":"m","data":1.0}' },
    ],
    [
      '{"jsonrpc":"2.0","error":{"code":-1,"message":"m"}}',
      { kind: 'error', id: 'null', error: '{"code":-1,"message":"m"}' },
    ],
    [
      '{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"m"}}',
      { kind: 'error', id: 'null', error: '{"code":-1,"message":"m"}' },
    ],
    [
      '{"jsonrpc":"2.0","method":"n","params":{"arguments":{"name":1,"name":2},"other":1,"other":2}}',
      { kind: 'notification', method: 'n', params: '{"arguments":{"name":1,"name":2},"other":1,"other":2}' },
    ],
  ])('%s', (text, message) => expect(wire.parseMessage(text)).toEqual({ ok: true, message }));

  it.each([
    ['', 'null', -32700],
    ['Server ready', 'null', -32700],
    ['[1] start', 'null', -32700],
    ['{"jsonrpc":"2.0","id":1,"method":"ping"', 'null', -32700],
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}{}', 'null', -32700],
    ['{"jsonrpc":"2.0","id":1,"method":"p\ning"}', 'null', -32700],
    ['\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}', 'null', -32700],
    [`{"jsonrpc":"2.0","id":1,"method":"n","params":{"a":"${'x'.repeat(9000)}\u0001"}}`, '1', -32700],
    ['123', 'null', -32600],
    ['"x"', 'null', -32600],
    ['null', 'null', -32600],
    ['[]', 'null', -32600],
    ['{"level":"info"}', 'null', -32600],
    ['{"id":1,"method":"ping"}', '1', -32600],
    ['{"jsonrpc":2.0,"id":1,"method":"ping"}', '1', -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', '1', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', 'null', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 'null', -32600],
    ['{"jsonrpc":"2.0","id":true,"method":"ping"}', 'null', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":7}', '1', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', '1', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}', '1', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}', '1', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","error":{}}', '1', -32600],
    ['{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', '1', -32600],
    ['{"jsonrpc":"2.0","id":1}', '1', -32600],
    ['{"jsonrpc":"2.0","result":{}}', 'null', -32600],
    ['{"jsonrpc":"2.0","id":null,"result":{}}', 'null', -32600],
    ['{"jsonrpc":"2.0","id":{},"error":{"code":1,"message":"m"}}', 'null', -32600],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 'null', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","\\u006dethod":"x"}', '1', -32600],
    [
      '{"jsonrpc":"2.0","id":1,"method":"c","params":{"_meta":{"progressToken":1,"progressToken":2}}}',
      '1',
      -32600,
    ],
    ['{"jsonrpc":"2.0","id":1,"method":"c","params":{"ref":{"uri":"a","uri":"b"}}}', '1', -32600],
  ])('refuses %s', (text, id, code) => {
    expect(wire.parseMessage(text)).toMatchObject({ ok: false, id, code, reason: expect.any(String) });
  });

  it.each([
    'name',
    'uri',
    '_meta',
    'requestId',
    'progressToken',
    'cursor',
    'ref',
    'level',
    'mode',
    'message',
    'url',
  ])('refuses params in which %s appears twice', (key) => {
    const text = `{"jsonrpc":"2.0","id":1,"method":"m","params":{"${key}":"a","x":1,"${key}":"b"}}`;
    expect(wire.parseMessage(text)).toMatchObject({ ok: false, id: '1', code: -32600 });
  });

  it.each([
    '"boom"',
    '{"message":"boom"}',
    '{"code":"E","message":"boom"}',
    '{"code":1.5,"message":"boom"}',
    'null',
  ])('makes an error object of %s', (error) => {
    const parsed = wire.parseMessage(`{"jsonrpc":"2.0","id":1,"error":${error}}`);
    if (!parsed.ok || parsed.message.kind !== 'error') throw new Error('an error was expected');
    expect(JSON.parse(parsed.message.error)).toMatchObject({ code: -32603, data: JSON.parse(error) });
  });

  it('is one line in all its parts, however it came', () => {
    const parsed = wire.parseMessage(
      '{\n "jsonrpc": "2.0",\r\n "id": 1,\n "result": {\n  "a": [\n1.0 ]\n }\n}\n',
    );
    expect(parsed).toEqual({ ok: true, message: { kind: 'result', id: '1', result: '{  "a": [1.0 ] }' } });
  });
});

describe('a frame', () => {
  it('may be a batch, each part judged by itself', () => {
    const frame = wire.parseFrame(
      ' [{"jsonrpc":"2.0","id":1,"method":"ping"}, 1, {"jsonrpc":"2.0","method":"n"}] ',
    );
    expect(frame).toMatchObject({
      batch: true,
      items: [
        { ok: true, message: { kind: 'request', id: '1' } },
        { ok: false, id: 'null', code: -32600 },
        { ok: true, message: { kind: 'notification' } },
      ],
    });
  });

  it('that is an empty batch is one invalid request', () => {
    expect(wire.parseFrame('[ ]')).toMatchObject({
      batch: false,
      item: { ok: false, id: 'null', code: -32600 },
    });
  });

  it('that is malformed anywhere is one parse error', () => {
    const text = '[{"jsonrpc":"2.0","id":1,"method":"ping"},';
    expect(wire.parseFrame(text)).toMatchObject({ batch: false, item: { ok: false, code: -32700 } });
  });

  it('may be a single message', () => {
    expect(wire.parseFrame('{"jsonrpc":"2.0","method":"n"}')).toMatchObject({
      batch: false,
      item: { ok: true },
    });
  });
});

describe('frames that are sent', () => {
  it.each([
    [wire.requestText('1', 'ping'), '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
    [
      wire.requestText('"x"', 'a"b', '{\n"k":1.0}'),
      '{"jsonrpc":"2.0","id":"x","method":"a\\"b","params":{"k":1.0}}',
    ],
    [wire.notificationText('n', '{}'), '{"jsonrpc":"2.0","method":"n","params":{}}'],
    [wire.replyText('7', { result: '{\r\n}' }), '{"jsonrpc":"2.0","id":7,"result":{}}'],
    [
      wire.replyText('7', wire.errorReply(wire.RPC.invalidParams, 'no', '[1]')),
      '{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no","data":[1]}}',
    ],
    [
      wire.replyText('null', wire.errorReply(wire.RPC.parse, 'what?')),
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":"what?"}}',
    ],
  ])('%s', (text, expected) => {
    expect(text).toBe(expected);
    expect(lintIfPresent('2025-11-25', 'JSONRPCMessage', JSON.parse(text))).toEqual([]);
    expect(wire.parseMessage(text)).toMatchObject({ ok: true });
  });

  it('never break their line from inside a string', () => {
    expect(() => wire.notificationText('n', '{"a":"x\ny"}')).toThrow();
  });
});
