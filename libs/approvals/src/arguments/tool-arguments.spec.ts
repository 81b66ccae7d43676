import { createHash } from 'node:crypto';
import { argumentsProblem, NO_ARGUMENTS_SHA256, toolArguments } from './tool-arguments.js';

const nested = (depth: number): object => (depth === 1 ? {} : { a: nested(depth - 1) });

test('canonical JSON follows RFC 8785', () => {
  // The examples of the RFC, sections 3.2.2 and 3.2.3.
  const numbers = {
    numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"\/',
    literals: [null, true, false],
  };
  expect(toolArguments(numbers).json).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  const names = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
  expect(Object.values(JSON.parse(toolArguments(names).json))).toEqual([4, 2, 6, 7, 1, 5, 3]);
});

test('equal arguments have equal hashes, whatever the order of their fields', () => {
  const { json, sha256 } = toolArguments({ b: [{ y: -0, x: 1.0 }], a: 'ü' });
  expect(json).toBe('{"a":"ü","b":[{"x":1,"y":0}]}');
  expect(sha256).toBe(createHash('sha256').update(json, 'utf8').digest('hex'));
  expect(toolArguments({ a: 'ü', b: [{ x: 1, y: 0 }] }).sha256).toBe(sha256);
  expect(toolArguments({}).sha256).toBe(NO_ARGUMENTS_SHA256);
});

test('a field named __proto__ is a field like any other', () => {
  expect(toolArguments(JSON.parse('{"__proto__":{"a":1}}') as object).json).toBe('{"__proto__":{"a":1}}');
});

test.each([
  ['a list', [], 'must be an object'],
  ['a text', 'x', 'must be an object'],
  ['10,000 keys', Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n])), /too large/],
  ['33 levels', nested(33), /nested more than 32/],
  ['an override in a text', { a: ['safe \u202e txt'] }, /bidirectional overrides/],
  ['an isolate in a name', { 'a\u2066b': 1 }, /bidirectional overrides/],
  ['a number beyond the range', JSON.parse('{"a":1e999}') as object, /1.8e308/],
  ['16 KiB and a byte', { a: 'x'.repeat(16_384 - 7) }, /too large/],
])('%s are refused', (_, given, problem) => {
  expect(argumentsProblem(given)).toMatch(problem);
});

test.each([
  ['32 levels', nested(32)],
  ['16 KiB', { a: 'x'.repeat(16_384 - 8) }],
  ['right-to-left text', { a: 'שלום \u200f' }],
])('%s are accepted', (_, given) => {
  expect(argumentsProblem(given)).toBeUndefined();
});
