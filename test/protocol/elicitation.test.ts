import { describe, expect, it } from 'vitest';
import { answerText, readAnswer, readElicitation } from '../../src/protocol/elicitation.ts';
import { lintIfPresent } from '../support/wire-lint.ts';

describe('a question as it came', () => {
  it.each([
    [
      '{"message":"m","requestedSchema":{ "type":"object" }}',
      { ok: true, mode: 'form', message: 'm', requestedSchema: '{ "type":"object" }' },
    ],
    [
      '{"mode":"form","message":"","requestedSchema":{},"url":"x"}',
      { ok: true, mode: 'form', message: '', requestedSchema: '{}' },
    ],
    [
      '{"mode":"url","message":"m","url":"https://a.example/\\u0062","elicitationId":"e"}',
      { ok: true, mode: 'url', message: 'm', url: 'https://a.example/b', elicitationId: 'e' },
    ],
  ])('%s', (params, question) => expect(readElicitation(params)).toEqual(question));

  it.each([
    [undefined],
    ['[]'],
    ['{"requestedSchema":{}}'],
    ['{"message":1,"requestedSchema":{}}'],
    ['{"message":"m"}'],
    ['{"message":"m","requestedSchema":[]}'],
    ['{"message":"m","requestedSchema":null}'],
    ['{"mode":"voice","message":"m","requestedSchema":{}}'],
    ['{"mode":null,"message":"m","requestedSchema":{}}'],
    ['{"mode":"url","message":"m","elicitationId":"e"}'],
    ['{"mode":"url","message":"m","url":"https://a.example/"}'],
    ['{"mode":"url","message":"m","url":"https://a.example/","elicitationId":1}'],
  ])('is refused: %s', (params) => {
    expect(readElicitation(params)).toEqual({ ok: false, reason: expect.any(String) });
  });
});

describe('an answer of a host', () => {
  it.each([
    [
      '{"action":"accept","content":{"n":1.0,"tags":["a"]}}',
      { action: 'accept', content: '{"n":1.0,"tags":["a"]}' },
    ],
    ['{"action":"accept","content":null,"_meta":{}}', { action: 'accept' }],
    ['{"action":"accept"}', { action: 'accept' }],
    ['{"action":"decline","content":{"x":1}}', { action: 'decline' }],
    ['{"action":"decline","content":null}', { action: 'decline' }],
    ['{"content":7,"action":"cancel"}', { action: 'cancel' }],
  ])('%s', (result, answer) => expect(readAnswer(result)).toEqual({ ok: true, ...answer }));

  it.each([
    ['null'],
    ['[]'],
    ['"accept"'],
    ['{}'],
    ['{"action":"Accept"}'],
    ['{"action":"reject"}'],
    ['{"action":null}'],
    ['{"action":"accept","content":[]}'],
    ['{"action":"accept","content":"x"}'],
    ['{"action":"accept","action":"decline"}'],
    ['{"action":"accept","content":{},"content":{"a":1}}'],
  ])('is none: %s', (result) => {
    expect(readAnswer(result)).toEqual({ ok: false, reason: expect.any(String) });
  });
});

describe('an answer as the upstream is told it', () => {
  it.each([
    ['form', 'accept', '{"a":1.0}', '{"action":"accept","content":{"a":1.0}}'],
    ['form', 'accept', undefined, '{"action":"accept","content":{}}'],
    ['form', 'decline', '{"a":1}', '{"action":"decline"}'],
    ['form', 'cancel', '{"a":1}', '{"action":"cancel"}'],
    ['url', 'accept', '{"a":1}', '{"action":"accept"}'],
    ['url', 'decline', undefined, '{"action":"decline"}'],
  ] as const)('%s %s %s', (mode, action, content, text) => {
    expect(answerText(mode, action, content)).toBe(text);
    expect(lintIfPresent('2025-11-25', 'ElicitResult', JSON.parse(text))).toEqual([]);
  });
});
