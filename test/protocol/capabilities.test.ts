import { describe, expect, it } from 'vitest';
import {
  clientCapabilities,
  declares,
  elicitationModes,
  serverCapabilities,
} from '../../src/protocol/capabilities.ts';
import { atLeast, isLegacy, isRevision, negotiate } from '../../src/protocol/revisions.ts';
import { REVISIONS } from '../../src/protocol/types.ts';
import { lintIfPresent } from '../support/wire-lint.ts';

const never = { form: false, url: false };
const form = { form: true, url: false };
const url = { form: false, url: true };
const both = { form: true, url: true };

describe('what a host can be asked', () => {
  it.each([
    // declared, at 2025-06-18, at 2025-11-25
    [{}, form, form],
    [{ form: {} }, form, form],
    [{ form: { applyDefaults: true } }, form, form],
    [{ url: {} }, form, url],
    [{ form: {}, url: {} }, form, both],
    [{ form: true, url: {} }, form, url],
    [{ form: {}, url: true }, form, form],
    [{ voice: {} }, form, never],
    [true, never, never],
    [[], never, never],
    [null, never, never],
    ['form', never, never],
    [undefined, never, never],
  ])('with elicitation %j', (elicitation, june, november) => {
    const capabilities = { elicitation };
    expect(elicitationModes('2024-11-05', capabilities)).toEqual(never);
    expect(elicitationModes('2025-03-26', capabilities)).toEqual(never);
    expect(elicitationModes('2025-06-18', capabilities)).toEqual(june);
    expect(elicitationModes('2025-11-25', capabilities)).toEqual(november);
    expect(elicitationModes('2026-07-28', capabilities)).toEqual(november);
  });

  it.each([[undefined], [null], [true], [[]], ['x'], [JSON.parse('{"__proto__":{"elicitation":{}}}')]])(
    'is nothing with capabilities %j',
    (capabilities) => expect(elicitationModes('2025-11-25', capabilities)).toEqual(never),
  );

  it('declares what is an object', () => {
    expect(declares({ sampling: {}, roots: true }, 'sampling')).toBe(true);
    expect(declares({ sampling: {}, roots: true }, 'roots')).toBe(false);
    expect(declares(null, 'roots')).toBe(false);
  });
});

describe('what mcpx declares to an upstream', () => {
  it.each([
    [{ elicitation: both }, '{"elicitation":{"form":{},"url":{}}}', '{"elicitation":{}}'],
    [{ elicitation: form }, '{"elicitation":{"form":{}}}', '{"elicitation":{}}'],
    [{ elicitation: url }, '{"elicitation":{"url":{}}}', '{}'],
    [{ elicitation: never }, '{}', '{}'],
    [{}, '{}', '{}'],
    [
      { sampling: '{"tools":{"x":1},"context":{},"y":1}' },
      '{"sampling":{"context":{},"tools":{}}}',
      '{"sampling":{}}',
    ],
    [
      { roots: '{"listChanged":true,"x":1}' },
      '{"roots":{"listChanged":true}}',
      '{"roots":{"listChanged":true}}',
    ],
    [{ roots: '{"listChanged":"yes"}', sampling: 'true' }, '{"roots":{}}', '{"roots":{}}'],
  ])('%j', (given, november, june) => {
    const input = { elicitation: undefined, sampling: undefined, roots: undefined, ...given };
    expect(clientCapabilities(input, '2025-11-25')).toBe(november);
    expect(clientCapabilities(input, '2025-06-18')).toBe(june);
    expect(lintIfPresent('2025-11-25', 'ClientCapabilities', JSON.parse(november))).toEqual([]);
    expect(lintIfPresent('2025-06-18', 'ClientCapabilities', JSON.parse(june))).toEqual([]);
  });

  it('has no elicitation before 2025-06-18', () => {
    const input = { elicitation: both, sampling: '{}', roots: undefined };
    expect(clientCapabilities(input, '2025-03-26')).toBe('{"sampling":{}}');
  });
});

describe('what mcpx declares to a host', () => {
  const upstreams = [
    {
      tools: { listChanged: true },
      resources: { subscribe: true },
      tasks: { list: {} },
      experimental: { x: {} },
    },
    { tools: {}, prompts: {}, resources: { listChanged: 'yes' }, completions: {}, logging: true },
    JSON.parse('{"__proto__":{"logging":{}}}') as Record<string, unknown>,
  ];

  it.each(REVISIONS.filter(isLegacy))('is the union of the upstreams, in the words of %s', (revision) => {
    const capabilities = JSON.parse(serverCapabilities(revision, upstreams));
    expect(capabilities).toEqual({
      tools: { listChanged: true },
      prompts: {},
      resources: { subscribe: true },
      ...(revision === '2024-11-05' ? {} : { completions: {} }),
    });
    expect(lintIfPresent(revision, 'ServerCapabilities', capabilities)).toEqual([]);
  });

  it('is empty without upstreams', () => expect(serverCapabilities('2025-11-25', [])).toBe('{}'));
});

describe('revisions', () => {
  it('compare by age', () => {
    expect(REVISIONS.map((revision) => atLeast(revision, '2025-06-18'))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(REVISIONS.map(isLegacy)).toEqual([true, true, true, true, false]);
    expect(isRevision('2025-06-18')).toBe(true);
    expect(isRevision('1.0')).toBe(false);
  });

  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    [20250618, '2025-11-25'],
    [undefined, '2025-11-25'],
  ])('a host that asks for %s gets %s', (asked, agreed) => expect(negotiate(asked)).toBe(agreed));
});
