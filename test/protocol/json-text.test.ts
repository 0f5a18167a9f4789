import { describe, expect, it } from 'vitest';
import * as json from '../../src/protocol/json-text.ts';
import { documents, mutations, random } from '../support/json-documents.ts';

/** What JSON.parse makes of it, or that it refuses it. */
function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

describe('the scanner against JSON.parse', () => {
  it('finds the same members and elements in any document', () => {
    for (const text of documents(3000)) {
      const value = JSON.parse(text) as Record<string, unknown>;
      if (Array.isArray(value)) {
        expect(json.elements(text).map(json.read)).toEqual(value);
        expect(json.entries(text)).toEqual([]);
      } else if (typeof value === 'object' && value !== null) {
        const own = Object.keys(value);
        expect(new Set(json.entries(text).map(([key]) => key))).toEqual(new Set(own));
        for (const key of own) expect(JSON.parse(json.member(text, key) ?? 'x')).toEqual(value[key]);
        expect(json.member(text, 'no such key')).toBeUndefined();
      } else {
        expect(json.entries(text)).toEqual([]);
        expect(json.member(text, 'a')).toBeUndefined();
      }
    }
  });

  it('accepts and refuses the same texts', () => {
    const rng = random(7);
    for (const text of documents(1500)) {
      for (const broken of mutations(text, rng)) {
        const scan = (): unknown => json.canonical(broken);
        if (parsed(broken) === undefined) expect(scan, broken).toThrow(json.JsonTextError);
        else expect(scan, broken).not.toThrow();
      }
    }
  });
});
