// Results, errors, notices and questions between the eras.
import { describe, expect, it } from 'vitest';
import { readElicitation } from '../../src/protocol/elicitation.ts';
import { spellQuestion } from '../../src/protocol/question/spell-question.ts';
import {
  spellError,
  spellNotification,
  spellRequest,
  spellResult,
} from '../../src/protocol/spell-message.ts';
import type { Revision } from '../../src/protocol/types.ts';
import { lintIfPresent } from '../support/wire-lint.ts';

const MODERN = '2026-07-28';
const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

/** Results of a 2025-11-25 upstream, and the schema type each is held against. */
const LEGACY_RESULTS: readonly (readonly [method: string, type: string, result: string])[] = [
  [
    'tools/list',
    'ListToolsResult',
    '{"tools":[{"name":"t","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}},' +
      '{"name":"u","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}],"nextCursor":"c"}',
  ],
  ['tools/call', 'CallToolResult', '{"content":[{"type":"text","text":"t"}],"structuredContent":{"n":1.0}}'],
  ['prompts/list', 'ListPromptsResult', '{"prompts":[{"name":"p"}]}'],
  ['prompts/get', 'GetPromptResult', '{"messages":[]}'],
  ['resources/list', 'ListResourcesResult', '{"resources":[{"name":"a","uri":"file:///a"}]}'],
  ['resources/templates/list', 'ListResourceTemplatesResult', '{"resourceTemplates":[]}'],
  ['resources/read', 'ReadResourceResult', '{"contents":[{"uri":"file:///a","text":"x"}]}'],
  ['completion/complete', 'CompleteResult', '{"completion":{"values":["a"]}}'],
];

describe('results for 2026-07-28', () => {
  it.each(LEGACY_RESULTS)('%s of an older upstream is whole there', (method, type, result) => {
    const spelled = spellResult(MODERN, method, result, '2025-11-25');
    expect(lintIfPresent(MODERN, type, JSON.parse(spelled))).toEqual([]);
    expect(JSON.parse(spelled).resultType).toBe('complete');
  });

  it('nothing of an older upstream may be kept or shared', () => {
    for (const [method, , result] of LEGACY_RESULTS) {
      const { ttlMs, cacheScope } = JSON.parse(spellResult(MODERN, method, result));
      const cacheable = method.endsWith('/list') || method === 'resources/read';
      expect([method, ttlMs, cacheScope]).toEqual(
        cacheable ? [method, 0, 'private'] : [method, undefined, undefined],
      );
    }
  });

  it('a modern upstream says itself for how long and for whom', () => {
    const result = '{"tools":[ ],"resultType":"complete","cacheScope":"public","ttlMs":60000}';
    expect(spellResult(MODERN, 'tools/list', result)).toBe(result);
  });

  it.each(['-1', '1.5', '"60"', 'null', '1e400'])('a ttlMs of %s is none', (ttl) => {
    const spelled = spellResult(MODERN, 'prompts/list', `{"prompts":[],"ttlMs":${ttl},"cacheScope":"all"}`);
    expect(spelled).toBe('{"prompts":[],"ttlMs":0,"cacheScope":"private","resultType":"complete"}');
  });

  it('an upstream cannot make a host ask by a final result', () => {
    const result = '{"content":[],"resultType":"input_required","inputRequests":{}}';
    expect(JSON.parse(spellResult(MODERN, 'tools/call', result, '2025-11-25')).resultType).toBe('complete');
  });

  it('numbers, order and spacing stay', () => {
    const result = '{ "structuredContent":{"b":1.0,"a":123456789012345678901} , "content":[ ] }';
    expect(spellResult(MODERN, 'tools/call', result)).toBe(
      '{ "structuredContent":{"b":1.0,"a":123456789012345678901} , "content":[ ],"resultType":"complete" }',
    );
  });

  it('answers of an older host are no results of their own', () => {
    const sample = '{"role":"assistant","content":{"type":"text","text":"t"},"model":"m"}';
    expect(spellResult(MODERN, 'sampling/createMessage', sample)).toBe(sample);
    expect(spellResult(MODERN, 'roots/list', '{"roots":[],"_meta":{}}')).toBe('{"roots":[]}');
  });
});

describe('results of 2026-07-28 for older hosts', () => {
  const serverInfo = '"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}';

  it.each(LEGACY)('what came with it is taken out for %s', (revision) => {
    const result = `{"tools":[],"resultType":"complete","ttlMs":5,"cacheScope":"public","_meta":{${serverInfo}}}`;
    expect(spellResult(revision, 'tools/list', result, MODERN)).toBe('{"tools":[]}');
    expect(spellResult(revision, 'tools/list', result)).toBe('{"tools":[]}');
  });

  it('other keys of _meta stay', () => {
    const result = `{"content":[],"resultType":"complete","_meta":{"a":1,${serverInfo}}}`;
    expect(spellResult('2025-11-25', 'tools/call', result, MODERN)).toBe('{"content":[],"_meta":{"a":1}}');
  });

  it.each(['[1,2.0]', '"text"', '7', 'null'])('structured content %s becomes text', (value) => {
    const spelled = spellResult(
      '2025-11-25',
      'tools/call',
      `{"content":[],"structuredContent":${value}}`,
      MODERN,
    );
    expect(JSON.parse(spelled)).toEqual({ content: [{ type: 'text', text: value }] });
    expect(lintIfPresent('2025-11-25', 'CallToolResult', JSON.parse(spelled))).toEqual([]);
  });

  it('an output schema of something else than an object goes with it', () => {
    const tool = (schema: string) => `{"name":"t","inputSchema":{"type":"object"},"outputSchema":${schema}}`;
    const spelled = spellResult(
      '2025-11-25',
      'tools/list',
      `{"tools":[${tool('{"type":"array"}')},${tool('{"type":"object"}')},${tool('{"anyOf":[]}')},${tool('true')}]}`,
      MODERN,
    );
    expect(JSON.parse(spelled).tools.map((one: object) => 'outputSchema' in one)).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });
});

describe('errors', () => {
  it.each([
    [-32002, -32602],
    [-32042, -32603],
    [-32020, -32603],
    [-32022, -32603],
    [-32050, -32603],
    [-32021, -32021],
    [-32000, -32000],
    [-32601, -32601],
    [7, 7],
  ])('%i becomes %i for 2026-07-28', (code, spelled) => {
    const error = `{ "code":${code},"message":"m","data":{"n":1.0} }`;
    expect(spellError(MODERN, error)).toBe(error.replace(String(code), String(spelled)));
  });

  it.each([
    [-32020, -32603],
    [-32021, -32603],
    [-32022, -32603],
    [-32002, -32002],
    [-32042, -32042],
  ])('%i becomes %i for an older host', (code, spelled) => {
    expect(spellError('2025-11-25', `{"code":${code},"message":"m"}`)).toBe(
      `{"code":${spelled},"message":"m"}`,
    );
  });
});

describe('notices', () => {
  it.each<[Revision, string, boolean]>([
    [MODERN, 'notifications/elicitation/complete', false],
    [MODERN, 'notifications/roots/list_changed', false],
    [MODERN, 'notifications/tools/list_changed', true],
    [MODERN, 'notifications/resources/updated', true],
    [MODERN, 'notifications/message', true],
    ['2025-11-25', 'notifications/elicitation/complete', true],
  ])('%s has %s: %s', (revision, method, known) => {
    expect(spellNotification(revision, method, '{"a":1}')).toBe(known ? '{"a":1}' : undefined);
  });

  it('the subscription by which one came is nobody else’s', () => {
    const id = '"io.modelcontextprotocol/subscriptionId":7';
    expect(spellNotification(MODERN, 'notifications/tools/list_changed', `{"_meta":{${id}}}`)).toBe('{}');
    expect(
      spellNotification('2025-11-25', 'notifications/resources/updated', `{"_meta":{"a":1,${id}},"uri":"u"}`),
    ).toBe('{"_meta":{"a":1},"uri":"u"}');
  });
});

describe('questions', () => {
  it('go bare into inputRequests, under the name of the server', () => {
    const form =
      '{"mode":"form","_meta":{"progressToken":1},"task":{},"message":"Which?","requestedSchema":{"type":"object","properties":{}}}';
    const url = '{"mode":"url","message":"Open","url":"https://example.com/","elicitationId":"e1"}';
    for (const params of [form, url]) {
      const spelled = JSON.parse(
        spellQuestion(MODERN, { server: 'github', params, elicitationId: 'row' }) ?? '{}',
      );
      expect(spelled.message).toMatch(/^github \(via mcpx\) asks: /);
      expect(Object.keys(spelled).filter((key) => /meta|task|elicitationId/.test(key))).toEqual([]);
      const request = { method: 'elicitation/create', params: spelled };
      expect(lintIfPresent(MODERN, 'ElicitRequest', request)).toEqual([]);
    }
  });

  it('of a modern upstream have no id', () => {
    const params = '{"mode":"url","message":"Open","url":"https://example.com/"}';
    expect(readElicitation(params, MODERN)).toEqual({
      ok: true,
      mode: 'url',
      message: 'Open',
      url: 'https://example.com/',
    });
    expect(readElicitation(params).ok).toBe(false);
  });

  it('a sample is asked for without _meta', () => {
    const params = '{"messages":[],"maxTokens":1,"_meta":{},"task":{}}';
    expect(spellRequest(MODERN, 'sampling/createMessage', params)).toBe('{"messages":[],"maxTokens":1}');
    expect(spellRequest(MODERN, 'tools/call', '{"name":"t","_meta":{}}')).toBe('{"name":"t","_meta":{}}');
  });

  it('keeps what only a retry has from legacy upstreams', () => {
    const params = '{"name":"t","arguments":{"requestState":1},"inputResponses":{},"requestState":"s"}';
    for (const revision of ['2025-06-18', '2025-11-25'] as const)
      expect(spellRequest(revision, 'tools/call', params)).toBe(
        '{"name":"t","arguments":{"requestState":1}}',
      );
    expect(spellRequest(MODERN, 'tools/call', params)).toBe(params);
  });
});
