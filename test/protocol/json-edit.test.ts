import { describe, expect, it } from 'vitest';
import * as json from '../../src/protocol/json-text.ts';
import { documents, random } from '../support/json-documents.ts';

describe('reading by key', () => {
  const text = ' { "a" : 1.0 , "b\\u0062": [1152921504606846977], "a": {"x":"y"}, "__proto__": null } ';

  it.each([
    ['a', '{"x":"y"}'],
    ['bb', '[1152921504606846977]'],
    ['__proto__', 'null'],
    ['constructor', undefined],
  ])('member %s', (key, value) => expect(json.member(text, key)).toBe(value));

  it('follows a path', () => {
    expect(json.at(text, ['a', 'x'])).toBe('"y"');
    expect(json.at(text, ['a', 'x', 'z'])).toBeUndefined();
    expect(json.at(text, ['bb', '0'])).toBeUndefined();
    expect(json.at(text, [])).toBe(text);
  });

  it('lists members in their order, integer-like and repeated keys too', () => {
    expect(json.entries('{"10":1,"2":2,"10":3}')).toEqual([
      ['10', '1'],
      ['2', '2'],
      ['10', '3'],
    ]);
  });

  it('names a repeated key however it is spelled', () => {
    expect(json.duplicateKey('{"a":1,"b":{"a":1,"a":2}}')).toBeUndefined();
    expect(json.duplicateKey('{"id":1,"\\u0069d":2}')).toBe('id');
    expect(json.duplicateKey('[1,1]')).toBeUndefined();
  });

  it('keeps __proto__ as an own key', () => {
    const value = json.read('{"__proto__":{"polluted":true}}') as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('editing', () => {
  it.each([
    ['{ "a" : 1 , "b" : 2 }', 'a', '9', '{ "a" : 9 , "b" : 2 }'],
    ['{ "a" : 1 }', 'c', '[]', '{ "a" : 1,"c":[] }'],
    ['{ }', 'c', '1', '{"c":1 }'],
    ['{"a":1, "b":2, "a":3}', 'a', '4', '{"b":2, "a":4}'],
    ['{"x\\ny":1}', 'x\ny', '2', '{"x\\ny":2}'],
    ['{}', '__proto__', '{}', '{"__proto__":{}}'],
  ])('%s with %s as %s', (text, key, value, edited) => {
    expect(json.withMember(text, key, value)).toBe(edited);
  });

  it('sets members of objects only', () => {
    expect(() => json.withMember('[1]', 'a', '1')).toThrow(json.JsonTextError);
  });

  it.each([
    ['{ "a":1 , "b":2 , "c":3 }', ['a'], '{ "b":2 , "c":3 }'],
    ['{ "a":1 , "b":2 , "c":3 }', ['b'], '{ "a":1 , "c":3 }'],
    ['{ "a":1 , "b":2 , "c":3 }', ['c'], '{ "a":1 , "b":2 }'],
    ['{ "a":1 , "b":2 , "c":3 }', ['a', 'b'], '{ "c":3 }'],
    ['{ "a":1 , "b":2 , "c":3 }', ['b', 'c'], '{ "a":1 }'],
    ['{ "a":1 , "b":2 , "c":3 }', ['a', 'c'], '{ "b":2 }'],
    ['{ "a":1 , "b":2 }', ['a', 'b'], '{  }'],
    ['[1]', ['0'], '[1]'],
  ])('%s without %j', (text, keys, edited) => expect(json.withoutMembers(text, keys)).toBe(edited));

  it('gives the same string back where nothing changes', () => {
    const text = '{ "a" : 1.0 }';
    expect(json.withoutMembers(text, ['b'])).toBe(text);
    expect(json.mapMembers(text, (value) => value)).toBe(text);
    expect(json.withAt(text, ['b', 'c'], undefined)).toBe(text);
  });

  it.each([
    ['{"p":{"m":1.0,"k":2}}', ['p', 'k'], '3', '{"p":{"m":1.0,"k":3}}'],
    ['{"p":{"m":1}}', ['p', 'm'], undefined, '{"p":{}}'],
    ['{}', ['p', '_meta', 'token'], '7', '{"p":{"_meta":{"token":7}}}'],
    ['{"p":null}', ['p', 'a'], '1', '{"p":{"a":1}}'],
    ['{"p":[1]}', ['p', 'a'], undefined, '{"p":[1]}'],
    ['[]', [], '1', '1'],
  ])('%s at %j', (text, path, value, edited) => expect(json.withAt(text, path, value)).toBe(edited));

  it('takes any subset of members or elements out, and keeps the rest as it was', () => {
    const rng = random(11);
    for (const text of documents(2000, 5)) {
      if (!json.isObject(text) && !json.isArray(text)) continue;
      const map = json.isObject(text) ? json.mapMembers : json.mapElements;
      const all = json.isObject(text) ? json.entries(text) : json.elements(text);
      const kept = all.map(() => rng() < 0.5);
      const edited = map(text, (value, _key, index) => (kept[index] ? value : undefined));
      const rest = json.isObject(text) ? json.entries(edited) : json.elements(edited);
      expect(rest, text).toEqual(all.filter((_, index) => kept[index]));
      if (kept.every(Boolean)) expect(edited).toBe(text);
    }
  });

  it('replaces elements in place', () => {
    expect(json.mapElements('[ 1 , 2 , 3 ]', (value) => (value === '2' ? '"two"' : value))).toBe(
      '[ 1 , "two" , 3 ]',
    );
    expect(json.mapElements('{"a":1}', () => '0')).toBe('{"a":1}');
  });

  it('prints objects and arrays of given texts', () => {
    expect(json.objectText(new Map([['a"b', '1.0']]))).toBe('{"a\\"b":1.0}');
    expect(json.arrayText(['1', '{}'])).toBe('[1,{}]');
    expect(json.arrayText([])).toBe('[]');
    expect(json.quote('\ud800\u0007')).toBe('"\\ud800\\u0007"');
  });
});

describe('one line', () => {
  it('takes line breaks out between tokens, and changes nothing else', () => {
    expect(json.oneLine('{\r\n  "a\\n" :\n 1.0,\r "b": "x"\n}\n')).toBe('{  "a\\n" : 1.0, "b": "x"}');
    for (const text of documents(1000, 3)) {
      const line = json.oneLine(text);
      expect(line).not.toMatch(/[\r\n]/);
      expect(JSON.stringify(JSON.parse(line))).toBe(JSON.stringify(JSON.parse(text)));
    }
  });

  it('refuses a line break inside a string, in a long one too', () => {
    expect(() => json.oneLine('{"a":"x\ny"}')).toThrow(json.JsonTextError);
    expect(() => json.oneLine(`{"a":"${'x'.repeat(9000)}\ry"}`)).toThrow(json.JsonTextError);
  });
});

describe('canonical', () => {
  it.each([
    ['{ "b":1, "a":[ 2 , {"d":1,"c":2} ] }', '{"a":[2,{"c":2,"d":1}],"b":1}'],
    ['{"\\u0061":"\\u0062\\/"}', '{"a":"b/"}'],
    ['{"n":1.0,"m":1152921504606846977}', '{"m":1152921504606846977,"n":1.0}'],
    ['{"a":2,"a":1}', '{"a":2,"a":1}'],
    [' [ ] ', '[]'],
    ['"x"', '"x"'],
    ['-0', '-0'],
  ])('%s', (text, form) => expect(json.canonical(text)).toBe(form));

  it('says the same value, and says it the same way twice', () => {
    for (const text of documents(1000, 9)) {
      const form = json.canonical(text);
      if (json.duplicateKey(text) === undefined) expect(json.canonical(form)).toBe(form);
      expect(json.isWhole(form)).toBe(true);
    }
  });
});

describe('large and deep texts', () => {
  const deep = 60_000;

  it('walks any depth', () => {
    const text = `${'{"a":['.repeat(deep)}1${']}'.repeat(deep)}`;
    expect(json.member(text, 'a')?.length).toBe(text.length - 6);
    expect(json.canonical(text)).toBe(text);
    expect(() => json.member(text.slice(0, -1), 'a')).toThrow(json.JsonTextError);
    expect(() => json.member('['.repeat(deep), 'a')).toThrow(json.JsonTextError);
  });

  it('finds the end of a long string whatever stands before its quotes', () => {
    for (const tail of ['', '\\\\', '\\"', '\\\\\\"', 'x\\"y\\\\']) {
      for (const length of [4090, 4094, 4095, 4096, 4097, 9000]) {
        const value = `"${'x'.repeat(length)}${tail}"`;
        const text = `{"k":${value},"z":1}`;
        expect(json.member(text, 'k')).toBe(value);
        expect(json.member(text, 'z')).toBe('1');
      }
    }
  });

  it('takes backslashes alone at any place', () => {
    for (let count = 2040; count < 2060; count += 1) {
      const value = `"${'\\\\'.repeat(count)}"`;
      expect(json.member(`{"k":${value}}`, 'k')).toBe(value);
    }
  });

  it('judges a whole text as JSON.parse does', () => {
    expect(json.isWhole(' {"a":1} ')).toBe(true);
    expect(json.isWhole('{"a":1}{}')).toBe(false);
    expect(json.isWhole(`"${'x'.repeat(9000)}\u0001"`)).toBe(false);
    expect(json.isWhole('')).toBe(false);
  });

  it('survives what stands unseen in the tail of a long string', () => {
    const bad = `"${'x'.repeat(9000)}\\q\u0001"`;
    const text = `{${bad}:1,"v":${bad}}`;
    expect(json.member(text, 'v')).toBe(bad);
    expect(json.stringOf(bad)).toBeUndefined();
    expect(() => json.read(bad)).toThrow(json.JsonTextError);
    expect(json.canonical(text)).not.toBe(json.canonical(text.replace('\\q', '\\p')));
  });

  it('tells the offset of what is wrong', () => {
    expect(() => json.member('{"a":01}', 'a')).toThrow(expect.objectContaining({ offset: 6 }));
  });
});
