// A walk with pauses sees what a walk at once sees, errors included, wherever it pauses.
import { expect, test } from 'vitest';
import { walk, walking } from '../../src/protocol/json-scan.ts';

const TEXTS = [
  '{}',
  '[]',
  ' { "a" : [ 1 , { "b" : "x\\"y" } , [ ] ] , "c" : { } , "d" : -1.5e3 } ',
  '[[[[[]]]],{"a":{"b":{"c":[null,true,false]}}}]',
  '{"a":1,"a":{"a":[{"a":2}]},"long":"0123456789012345678901234567890123456789"}',
  '"text"',
  '12',
  '{"a":[1,2}',
  '{"a":{"b":1,}}',
  '{"a":[[1,[2,[3]]]] "b":1}',
  '[1,2] 3',
  '[{"a"',
  '[[[',
];

function seen(text: string, stretch?: number): unknown[] {
  const found: unknown[] = [];
  const visit = (...at: number[]): void => void found.push(at);
  try {
    if (stretch === undefined) walk(text, visit);
    else for (const _ of walking(text, visit, stretch)) found.push('pause');
  } catch (error) {
    found.push(String(error));
  }
  return found;
}

test.each(TEXTS)('%s', (text) => {
  for (let stretch = 1; stretch <= text.length; stretch += 1)
    expect(seen(text, stretch).filter((one) => one !== 'pause')).toEqual(seen(text));
});

test('it pauses inside one large member, and between many small ones', () => {
  const pauses = (text: string): number => seen(text, 1_000).filter((one) => one === 'pause').length;
  const numbers = Array.from({ length: 5_000 }, (_, at) => at).join();
  expect(pauses(`{"a":[${numbers}]}`)).toBeGreaterThan(20);
  expect(pauses(`[${numbers}]`)).toBeGreaterThan(20);
  expect(pauses('{"a":[1]}')).toBe(0);
});
