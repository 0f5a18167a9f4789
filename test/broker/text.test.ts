// Texts go through the store exactly as they came (C02, C17), and a row prints as the one object of every surface.
import { describe, expect, it } from 'vitest';
import { rowJson } from '../../src/broker/row-json.ts';
import type { NewRow, Row } from '../../src/broker/types.ts';
import { startActor } from './actor.ts';
import { question, SCHEMA } from './question.ts';
import { bench } from './support.ts';

/** A question whose facts are read from `params`, as the relay does. */
function asked(params: string, facts: Partial<NewRow> = {}): NewRow {
  return question({ message: (JSON.parse(params) as { message: string }).message, params, ...facts });
}

const MESSAGES: readonly [string, string][] = [
  ['several scripts and an emoji', 'Prüfe — 確認 🙂'],
  ['a family and combining marks', '👨‍👩‍👧 e\u0301'],
  ['bidi and zero width', 'a\u202eb\u200bc'],
  ['control characters', '\u001b[2J\u0007\u009b\u0085\u2028'],
  ['U+0000', 'a\u0000b'],
  ['a half surrogate pair', 'a\ud83db'],
  ['the store’s own mark', '\u0001"x"'],
  ['a byte order mark', '\ufeffx'],
  ['quotes and backslashes', `'"\\'; DROP TABLE rows; --`],
  ['nothing', ''],
  ['64 KiB', 'ß'.repeat(32_768)],
];

describe('a message', () => {
  it.each(MESSAGES)('with %s is the same in another process and after the answer', async (_, message) => {
    const { scope, stateDir, open } = bench();
    const broker = await open('gateway');
    const host = { name: message, revision: '2025-11-25', inline: false } as const;
    const facts = asked(JSON.stringify({ message }), { tool: message, host, principal: message });
    const row = await broker.open(facts);
    const reader = await startActor(scope, stateDir, { role: 'command' });
    const read = await reader.get(row.id);
    expect(read).toEqual(row);
    expect(read.message).toBe(message);
    expect((JSON.parse(rowJson(read)) as Row).message).toBe(message);
    expect(await broker.list({ principal: message })).toEqual([row]);
    const content = JSON.stringify({ note: message });
    await broker.answer(row.id, { action: 'accept', content, by: 'cli', reason: message });
    expect(await reader.get(row.id)).toMatchObject({ answer: { content }, reason: message });
  });
});

describe('rowJson', () => {
  const AT = '2026-11-30T18:00:00.000Z';
  const row = (facts: Partial<Row> = {}): Row => {
    const { ttl: _, ...rest } = question();
    return { id: 'elc-9f2c1a84bb0e7d31', state: 'pending', createdAt: AT, expiresAt: AT, ...rest, ...facts };
  };

  it('is the object of the design, in its order, without params and without what is not known', () => {
    const full = row({
      state: 'accepted',
      method: 'tools/call',
      tool: 'create_issue',
      call: 'cal-d13e4c64102e9113',
      host: { name: 'claude-code', revision: '2025-11-25', inline: false },
      answer: { action: 'accept', content: '{"repo":"me/thing"}', by: 'cli', at: AT },
      deliveredAt: AT,
      completedAt: AT,
      reason: 'why',
    });
    expect(rowJson(full)).toBe(
      `{"id":"elc-9f2c1a84bb0e7d31","state":"accepted","server":"github","mode":"form",` +
        `"message":"Which repository should this go in?","requestedSchema":${SCHEMA},` +
        `"method":"tools/call","tool":"create_issue","call":"cal-d13e4c64102e9113",` +
        `"host":{"name":"claude-code","revision":"2025-11-25","inline":false},` +
        `"principal":"local","audience":"human","sensitive":false,"createdAt":"${AT}","expiresAt":"${AT}",` +
        `"answer":{"action":"accept","content":{"repo":"me/thing"},"by":"cli","at":"${AT}"},` +
        `"deliveredAt":"${AT}","completedAt":"${AT}","reason":"why"}`,
    );
    expect(Object.keys(JSON.parse(rowJson(row())) as object)).toEqual([
      'id',
      'state',
      'server',
      'mode',
      'message',
      'requestedSchema',
      'principal',
      'audience',
      'sensitive',
      'createdAt',
      'expiresAt',
    ]);
  });

  it('keeps the schema as the upstream wrote it: order, unknown keys, numbers (C02)', () => {
    const schema =
      '{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"c":{"type":"string","x-hint":"slow"},' +
      '"a":{"type":"integer","maximum":9007199254740993,"default":1.0},"10":{"type":"string"},"2":{"type":"string"},' +
      '"__proto__":{"type":"string"},"b":{"type":"string","enum":["p"],"enumNames":["P"]}},"type":"object"}';
    const params = `{"message":"m","requestedSchema":${schema}}`;
    const text = rowJson(row({ message: 'm', params, requestedSchema: schema }));
    expect(text).toContain(`"requestedSchema":${schema},`);
  });

  it('keeps the spelling of message and url', () => {
    const params =
      '{"url":"https:\\/\\/a.example\\/","message":"\\u0050r\\u00fcfe \\ud83d\\ude42","mode":"url"}';
    const text = rowJson(row({ mode: 'url', message: 'Prüfe 🙂', url: 'https://a.example/', params }));
    expect(text).toContain('"message":"\\u0050r\\u00fcfe \\ud83d\\ude42",');
    expect(text).toContain('"url":"https:\\/\\/a.example\\/",');
  });

  it('says what the row says where params say something else or nothing', () => {
    const text = rowJson(row({ message: 'm', params: '{"message":["m"]}' }));
    expect((JSON.parse(text) as Row).message).toBe('m');
    expect((JSON.parse(rowJson(row({ message: 'm', params: '{}' }))) as Row).message).toBe('m');
  });

  it('stands on one line, whatever the line breaks between tokens', () => {
    const schema = '{\r\n  "type": "object",\n  "properties": {}\n}';
    const params = `{"message":"a\\nb","requestedSchema":${schema}}`;
    const content = '{\n"a":1\n}';
    const answer = { action: 'accept', content, by: 'tui', at: AT } as const;
    const text = rowJson(row({ message: 'a\nb', params, requestedSchema: schema, answer }));
    expect(text).not.toMatch(/[\r\n]/);
    expect(JSON.parse(text)).toMatchObject({ message: 'a\nb', answer: { content: { a: 1 } } });
  });

  it('redacts the answer to a sensitive question, and only the answer (ELI-13)', () => {
    const answer = { action: 'accept', content: '{"apiKey":"sk-test-123"}', by: 'cli', at: AT } as const;
    const text = rowJson(row({ sensitive: true, answer }));
    expect(text).not.toContain('sk-test-123');
    expect(JSON.parse(text)).toMatchObject({
      answer: { action: 'accept', redacted: true, by: 'cli', at: AT },
      requestedSchema: JSON.parse(SCHEMA) as unknown,
    });
  });

  it('keeps large numbers and key order of the content', () => {
    const content = '{"z":12345678901234567890,"a":1.0,"1":2}';
    const answer = { action: 'accept', content, by: 'rest', at: AT } as const;
    expect(rowJson(row({ answer }))).toContain(`"content":${content},"by":"rest"`);
  });
});
