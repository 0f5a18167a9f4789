import { describe, expect, it } from 'vitest';
import { spellNotification, spellRequest, spellResult } from '../../src/protocol/spell-message.ts';
import type { Revision } from '../../src/protocol/types.ts';
import { lintIfPresent } from '../support/wire-lint.ts';

const OLDER = ['2024-11-05', '2025-03-26', '2025-06-18'] as const;
const ALL = [...OLDER, '2025-11-25'] as const;

const icons = [{ src: 'https://example.com/i.png', sizes: ['any'] }];
const later = { title: 'T', _meta: { a: 1 }, icons };
const annotations = { audience: ['user'], priority: 1, lastModified: '2025-01-01T00:00:00Z' };
const resource = { uri: 'file:///a', name: 'a', size: 1, annotations, ...later };
const content = [
  { type: 'text', text: 't', annotations, _meta: {} },
  { type: 'image', data: 'AA==', mimeType: 'image/png', _meta: {} },
  { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', annotations },
  { ...resource, type: 'resource_link', description: 'D', mimeType: 'text/plain' },
  { type: 'resource', resource: { uri: 'file:///a', text: 'x', _meta: {} }, annotations, _meta: {} },
];

/** Results that use everything 2025-11-25 has, and the schema type each is held against. */
const RICH: Readonly<Record<string, readonly [type: string, result: object]>> = {
  'tools/list': [
    'ListToolsResult',
    {
      tools: [
        {
          name: 't',
          inputSchema: { type: 'object', properties: { title: { type: 'string' } } },
          outputSchema: { type: 'object' },
          annotations: { readOnlyHint: true },
          execution: { taskSupport: 'optional' },
          ...later,
        },
      ],
      nextCursor: 'c',
      _meta: {},
    },
  ],
  'tools/call': ['CallToolResult', { content, structuredContent: { a: 1 }, isError: false, _meta: {} }],
  'prompts/list': [
    'ListPromptsResult',
    { prompts: [{ name: 'p', arguments: [{ name: 'x', title: 'X' }], ...later }] },
  ],
  'prompts/get': [
    'GetPromptResult',
    { messages: content.map((block) => ({ role: 'user', content: block })) },
  ],
  'resources/list': ['ListResourcesResult', { resources: [resource] }],
  'resources/templates/list': [
    'ListResourceTemplatesResult',
    { resourceTemplates: [{ uriTemplate: 'file:///{p}', name: 'r', annotations, ...later }] },
  ],
  'resources/read': [
    'ReadResourceResult',
    { contents: [{ uri: 'file:///a', blob: 'AA==', _meta: {} }], _meta: {} },
  ],
  'completion/complete': ['CompleteResult', { completion: { values: ['a'], hasMore: false } }],
  'sampling/createMessage': [
    'CreateMessageResult',
    {
      role: 'assistant',
      model: 'm',
      content: [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav', _meta: {} }],
    },
  ],
  'roots/list': ['ListRootsResult', { roots: [{ uri: 'file:///a', _meta: {} }] }],
};

describe.each(Object.entries(RICH))('a result of %s', (method, [type, result]) => {
  const text = JSON.stringify(result);

  it.each(OLDER)('has nothing that %s does not define', (revision) => {
    expect(lintIfPresent(revision, type, JSON.parse(spellResult(revision, method, text)))).toEqual([]);
  });

  it('goes to 2025-11-25 as it came', () => {
    expect(lintIfPresent('2025-11-25', type, result)).toEqual([]);
    expect(spellResult('2025-11-25', method, text)).toBe(text);
  });
});

describe('what a result loses and keeps', () => {
  const call = (revision: Revision, result: string): string => spellResult(revision, 'tools/call', result);

  it.each([
    ['2024-11-05', '{"tools":[{"name":"a", "inputSchema":{"type":"object"} ,"x-vendor":1.0}] , "x":[]}'],
    ['2025-03-26', '{"tools":[{"name":"a", "annotations":{"title":"A"},"x-vendor":1.0}] , "x":[]}'],
    ['2025-06-18', '{"tools":[{"name":"a", "title":"A","outputSchema":{"type":"object"},"_meta":{}}]}'],
  ] as const)('at %s, what it knows stays byte for byte', (revision, result) => {
    expect(spellResult(revision, 'tools/list', result)).toBe(result);
  });

  it('words of later revisions inside a schema are not touched', () => {
    const result =
      '{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"icons":{},"execution":{}}}}]}';
    expect(spellResult('2024-11-05', 'tools/list', result)).toBe(result);
  });

  it.each(ALL)('tools that run only as tasks are left out at %s', (revision) => {
    const tool = (name: string, support: string): string =>
      `{"name":"${name}","execution":{"taskSupport":"${support}"}}`;
    const result = `{"tools":[${tool('a', 'required')},${tool('b', 'optional')},${tool('c', 'required')}]}`;
    const { tools } = JSON.parse(spellResult(revision, 'tools/list', result)) as {
      tools: { name: string }[];
    };
    expect(tools.map(({ name }) => name)).toEqual(['b']);
  });

  it('audio and links become text that says what they were', () => {
    const { content: spelled } = JSON.parse(call('2024-11-05', JSON.stringify({ content }))) as {
      content: { type: string; text: string; annotations?: object }[];
    };
    expect(spelled.map(({ type }) => type)).toEqual(['text', 'image', 'text', 'text', 'resource']);
    expect(spelled[2]?.text).toBe('[Audio, audio/wav, about 3 bytes: cannot be shown here]');
    expect(spelled[2]?.annotations).toEqual({ audience: ['user'], priority: 1 });
    expect(spelled[3]?.text).toBe('Resource: T (text/plain)\nfile:///a\nD');
    const march = JSON.parse(call('2025-03-26', JSON.stringify({ content }))) as {
      content: { type: string }[];
    };
    expect(march.content.map(({ type }) => type)).toEqual(['text', 'image', 'audio', 'text', 'resource']);
  });

  it.each([
    ['{"structuredContent":{"n":1.0}}', '{"content":[{"type":"text","text":"{\\"n\\":1.0}"}]}'],
    ['{"content":[],"structuredContent":{"n":1.0}}', '{"content":[{"type":"text","text":"{\\"n\\":1.0}"}]}'],
    [
      '{"content":[{"type":"text","text":"n"}],"structuredContent":{"n":1.0}}',
      '{"content":[{"type":"text","text":"n"}]}',
    ],
    ['{"content":[]}', '{"content":[]}'],
  ])('structured content is not lost on an older host: %s', (result, spelled) => {
    expect(call('2025-03-26', result)).toBe(spelled);
    expect(call('2025-06-18', result)).toBe(result);
  });

  it.each([
    'null',
    '[]',
    '"x"',
    '{"content":"x"}',
    '{"content":[null,1,{"type":7},{"type":"x-vendor","_metal":1}]}',
  ])('an odd result stays as it is: %s', (result) => expect(call('2024-11-05', result)).toBe(result));

  it.each(['{"tools":null}', '{"tools":[null,[]]}', '{"tools":[{"execution":"taskSupport"}]}'])(
    'an odd list is no crash: %s',
    (result) => {
      for (const revision of ALL)
        expect(JSON.parse(spellResult(revision, 'tools/list', result))).toHaveProperty('tools');
    },
  );

  it('a method that is not spelled goes as it came', () => {
    expect(spellResult('2024-11-05', 'x/vendor', '{"icons":1}')).toBe('{"icons":1}');
  });

  it('several blocks of a sample stay together, as they have no older equivalent', () => {
    const result =
      '{"role":"assistant","model":"m","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}';
    expect(spellResult('2025-06-18', 'sampling/createMessage', result)).toBe(result);
  });
});

describe('a notification', () => {
  const progress = '{"progressToken":"t","progress":1.0,"total":2,"message":"m","_meta":{}}';

  it.each([
    ['2024-11-05', 'notifications/progress', progress, '{"progressToken":"t","progress":1.0,"total":2}'],
    [
      '2025-03-26',
      'notifications/progress',
      progress,
      '{"progressToken":"t","progress":1.0,"total":2,"message":"m"}',
    ],
    ['2025-11-25', 'notifications/progress', progress, progress],
    ['2024-11-05', 'notifications/message', '{"level":"info","data":1}', '{"level":"info","data":1}'],
    ['2025-06-18', 'notifications/resources/updated', '{"uri":"a:b","_meta":{}}', '{"uri":"a:b"}'],
    ['2024-11-05', 'notifications/tools/list_changed', undefined, '{}'],
    ['2024-11-05', 'notifications/tools/list_changed', '{"_meta":{}}', '{"_meta":{}}'],
    ['2025-11-25', 'notifications/elicitation/complete', '{"elicitationId":"e"}', '{"elicitationId":"e"}'],
    ['2025-06-18', 'notifications/elicitation/complete', '{"elicitationId":"e"}', undefined],
    ['2025-11-25', 'notifications/tasks/status', '{}', undefined],
    ['2025-11-25', 'notifications/x-vendor', '{}', undefined],
    ['2025-11-25', 'notifications/progress', undefined, undefined],
  ] as const)('at %s %s %s is %s', (revision, method, params, spelled) => {
    expect(spellNotification(revision, method, params)).toBe(spelled);
    if (spelled === undefined) return;
    const envelope = revision === '2025-11-25' ? { jsonrpc: '2.0' } : {};
    const message = { ...envelope, method, params: JSON.parse(spelled) };
    const type =
      revision === '2025-11-25' && method.includes('elicitation')
        ? 'ElicitationCompleteNotification'
        : 'ServerNotification';
    expect(lintIfPresent(revision, type, message)).toEqual([]);
  });
});

describe('a request to an older peer', () => {
  const complete =
    '{"ref":{"type":"ref/prompt","name":"p","title":"P"},"argument":{"name":"a","value":"v"},"context":{"arguments":{}}}';
  const sample = {
    maxTokens: 5,
    tools: [],
    toolChoice: {},
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b', _meta: {} },
        ],
        _meta: {},
      },
      { role: 'user', content: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } },
    ],
  };

  it('completes without a context', () => {
    expect(spellRequest('2025-03-26', 'completion/complete', complete)).toBe(
      '{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"v"}}',
    );
    expect(spellRequest('2025-06-18', 'completion/complete', complete)).toBe(complete);
  });

  it.each(OLDER)('asks for a sample in the words of %s', (revision) => {
    const params = JSON.parse(spellRequest(revision, 'sampling/createMessage', JSON.stringify(sample)));
    expect(
      lintIfPresent(revision, 'CreateMessageRequest', { method: 'sampling/createMessage', params }),
    ).toEqual([]);
    expect(params.messages).toHaveLength(3);
  });

  it('never starts a task', () => {
    const params = '{"name":"t","arguments":{"task":1},"task":{"ttl":1}}';
    expect(spellRequest('2025-11-25', 'tools/call', params)).toBe('{"name":"t","arguments":{"task":1}}');
    expect(spellRequest('2025-11-25', 'tools/call', '{"name":"t"}')).toBe('{"name":"t"}');
  });
});
