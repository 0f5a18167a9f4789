import { describe, expect, it } from 'vitest';
import { at, entries, member, withAt } from '../../../src/protocol/json-text.ts';
import { spellQuestion } from '../../../src/protocol/question/spell-question.ts';
import { lintIfPresent } from '../../support/wire-lint.ts';

const server = 'github';

/** A form question about the given properties (JSON text). */
function form(properties: string, more = ''): string {
  return `{"mode":"form","message":"Which?","requestedSchema":{"type":"object","properties":${properties}}${more}}`;
}

/** The property `p` as a host of 2025-06-18 gets it. */
function spelled(property: string): string | undefined {
  const params = spellQuestion('2025-06-18', { server, params: form(`{"p":${property}}`) });
  return params === undefined ? undefined : at(params, ['requestedSchema', 'properties', 'p']);
}

function lint(revision: '2025-06-18' | '2025-11-25', params: string): string[] {
  const envelope = revision === '2025-11-25' ? { jsonrpc: '2.0', id: 1 } : {};
  return lintIfPresent(revision, 'ElicitRequest', {
    ...envelope,
    method: 'elicitation/create',
    params: JSON.parse(params),
  });
}

describe('who asks (ELI-18)', () => {
  it.each([
    ['Which repository?', 'github (via mcpx) asks: Which repository?'],
    ['github (via mcpx) asks: Which?', 'github (via mcpx) asks: Which?'],
    ['github: Which?', 'github: Which?'],
    ['gitlab (via mcpx) asks: Which?', 'github (via mcpx) asks: gitlab (via mcpx) asks: Which?'],
    ['github asks', 'github (via mcpx) asks: github asks'],
    ['', 'github (via mcpx) asks: '],
    ['"quoted"\n確認', 'github (via mcpx) asks: "quoted"\n確認'],
  ])('%j becomes %j', (message, named) => {
    const params = `{"message":${JSON.stringify(message)},"requestedSchema":{"type":"object","properties":{}}}`;
    for (const revision of ['2025-06-18', '2025-11-25'] as const) {
      const text = spellQuestion(revision, { server, params }) ?? '';
      expect(JSON.parse(text).message).toBe(named);
    }
  });
});

describe('to a host that is too old', () => {
  it.each(['2024-11-05', '2025-03-26'] as const)('%s nothing is sent', (revision) => {
    expect(spellQuestion(revision, { server, params: form('{}') })).toBeUndefined();
  });
});

describe('to a host of 2025-11-25', () => {
  it('everything but the message stays byte for byte (C01, C02)', () => {
    const schema =
      '{ "$schema":"http://json-schema.org/draft-07/schema#", "properties":{"c":{"type":"string","x-hint":"slow"}, ' +
      '"10":{"type":"integer","default":1.0},"2":{"type":"integer","maximum":1152921504606846977},"pet":{"type":"string",' +
      '"enum":["p1","p2"],"enumNames":["Cat","Dog"],"default":"p2"}}, "type":"object" , "x":[ ]}';
    const params = `{ "x-vendor": 1.0 , "message":"m", "requestedSchema":${schema} }`;
    expect(spellQuestion('2025-11-25', { server, params })).toBe(
      `{ "x-vendor": 1.0 , "message":"github (via mcpx) asks: m", "requestedSchema":${schema} }`,
    );
  });

  it('task and _meta are left out, and mode stays as it is', () => {
    const params = form('{}', ',"task":{"ttl":1},"_meta":{"progressToken":1}');
    const text = spellQuestion('2025-11-25', { server, params }) ?? '';
    expect(entries(text).map(([key]) => key)).toEqual(['mode', 'message', 'requestedSchema']);
    expect(lint('2025-11-25', text)).toEqual([]);
  });

  it('a url question gets the id of its row', () => {
    const params =
      '{"mode":"url","elicitationId":"theirs","url":"https://mcp.example.com/c?a=1&b=2","message":"m"}';
    const text = spellQuestion('2025-11-25', { server, params, elicitationId: 'elc-0123456789abcdef' }) ?? '';
    expect(text).toBe(
      '{"mode":"url","elicitationId":"elc-0123456789abcdef","url":"https://mcp.example.com/c?a=1&b=2",' +
        '"message":"github (via mcpx) asks: m"}',
    );
    expect(lint('2025-11-25', text)).toEqual([]);
  });

  it('a form gets no id', () => {
    const text = spellQuestion('2025-11-25', { server, params: form('{}'), elicitationId: 'elc-1' }) ?? '';
    expect(member(text, 'elicitationId')).toBeUndefined();
  });

  it('a schema outside the subset goes as it came (C04)', () => {
    const properties = '{"addr":{"type":"object","properties":{"zip":{}}},"__proto__":{"type":"string"}}';
    const text = spellQuestion('2025-11-25', { server, params: form(properties) }) ?? '';
    expect(at(text, ['requestedSchema', 'properties'])).toBe(properties);
  });
});

/** The examples of the 2025-11-25 specification, client/elicitation, "Requested Schema", that an older host can show. */
const EXAMPLES = {
  string:
    '{"type":"string","title":"Display Name","description":"Description text","minLength":3,"maxLength":50,"pattern":"^[A-Za-z]+$","format":"email","default":"user@example.com"}',
  number:
    '{"type":"number","title":"Display Name","description":"Description text","minimum":0,"maximum":100,"default":50}',
  boolean: '{"type":"boolean","title":"Display Name","description":"Description text","default":false}',
  enum: '{"type":"string","title":"Color Selection","description":"Choose your favorite color","enum":["Red","Green","Blue"],"default":"Red"}',
  titled:
    '{"type":"string","title":"Color Selection","description":"Choose your favorite color","oneOf":[{"const":"#FF0000","title":"Red"},{"const":"#00FF00","title":"Green"},{"const":"#0000FF","title":"Blue"}],"default":"#FF0000"}',
};

const MULTI = {
  plain:
    '{"type":"array","title":"Color Selection","minItems":1,"maxItems":2,"items":{"type":"string","enum":["Red","Green"]},"default":["Red"]}',
  titled: '{"type":"array","items":{"anyOf":[{"const":"#FF0000","title":"Red"}]}}',
};

describe('to a host of 2025-06-18', () => {
  it.each(Object.entries(EXAMPLES))(
    "the specification's %s example is what that revision defines",
    (_, property) => {
      const params = form(`{"p":${property}}`, ',"task":{},"_meta":{},"x-vendor":1');
      const text = spellQuestion('2025-06-18', { server, params }) ?? '';
      expect(lint('2025-06-18', text)).toEqual([]);
      expect(entries(text).map(([key]) => key)).toEqual(['message', 'requestedSchema']);
    },
  );

  it.each([
    [
      EXAMPLES.number,
      '{"type":"number","title":"Display Name","description":"Description text","minimum":0,"maximum":100}',
    ],
    [EXAMPLES.boolean, EXAMPLES.boolean],
    [EXAMPLES.enum.replace(',"default":"Red"', ''), EXAMPLES.enum.replace(',"default":"Red"', '')],
    [
      EXAMPLES.titled,
      '{"type":"string","title":"Color Selection","description":"Choose your favorite color","enum":["#FF0000","#00FF00","#0000FF"],"enumNames":["Red","Green","Blue"]}',
    ],
    ['{"oneOf":[{"const":"a"}],"type":"string","x":1}', '{"type":"string","enum":["a"]}'],
    ['{"type":"string","enum":["a"],"enumNames":["A"]}', '{"type":"string","enum":["a"],"enumNames":["A"]}'],
    ['{"type":"boolean","default":"true"}', '{"type":"boolean"}'],
    [
      '{"type":"integer","format":"int32","default":0,"minimum":1152921504606846977}',
      '{"type":"integer","minimum":1152921504606846977}',
    ],
    ['{"type":"string","format":"uuid","minLength":"1"}', '{"type":"string"}'],
    ['{ "type" : "string" , "constructor":1, "__proto__":{}}', '{ "type" : "string"}'],
  ])('%s becomes %s', (property, result) => expect(spelled(property)).toBe(result));

  it.each(Object.values(MULTI))('a question with a multi-select is not sendable: %s', (property) => {
    expect(spelled(property)).toBeUndefined();
    const params = form(`{"name":{"type":"string"},"p":${property}}`);
    expect(spellQuestion('2025-06-18', { server, params })).toBeUndefined();
  });

  it('a url question is not sendable', () => {
    const params = '{"mode":"url","elicitationId":"e","url":"https://mcp.example.com/","message":"m"}';
    expect(spellQuestion('2025-06-18', { server, params })).toBeUndefined();
  });

  it('integer-like names keep their order, and an own __proto__ stays one', () => {
    const properties =
      '{"10":{"type":"string"},"2":{"type":"string","default":"x"},"__proto__":{"type":"boolean"}}';
    const text = spellQuestion('2025-06-18', { server, params: form(properties) }) ?? '';
    const names = entries(at(text, ['requestedSchema', 'properties']) ?? '').map(([key]) => key);
    expect(names).toEqual(['10', '2', '__proto__']);
  });

  it('a schema keeps what the revision knows of it, byte for byte', () => {
    const params = withAt(form('{ "a" : {"type":"string"} }'), ['requestedSchema', '$schema'], '"x"');
    const text = spellQuestion('2025-06-18', { server, params }) ?? '';
    expect(member(text, 'requestedSchema')).toBe(
      '{"type":"object","properties":{ "a" : {"type":"string"} }}',
    );
  });

  it('an incomplete schema is completed', () => {
    const params =
      '{"message":"Buy 1 loaf?","requestedSchema":{"required":[1],"additionalProperties":false}}';
    const text = spellQuestion('2025-06-18', { server, params }) ?? '';
    expect(member(text, 'requestedSchema')).toBe('{"type":"object","properties":{}}');
    expect(lint('2025-06-18', text)).toEqual([]);
  });
});
