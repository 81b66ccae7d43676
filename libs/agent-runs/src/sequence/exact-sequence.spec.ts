import { stringify } from 'lossless-json';
import { exactSequence } from './exact-sequence.js';

const read = (json: string): bigint | undefined =>
  exactSequence(json, (JSON.parse(json) as { sequence?: unknown }).sequence);

test.each<[string, bigint | undefined]>([
  ['{"sequence":7}', 7n],
  ['{"sequence":-7}', -7n],
  ['{"sequence":2.0}', 2n],
  ['{"sequence":1e3}', 1000n],
  ['{"sequence":9223372036854775807}', 9223372036854775807n],
  ['{"sequence":9223372036854775808}', 9223372036854775808n],
  ['{"sequence":1732169000123456789}', 1732169000123456789n],
  [
    ' { "a" : [ 1, {"sequence": 9007199254740995} ] , "sequence" : 9007199254740993 , "z":"x" } ',
    9007199254740993n,
  ],
  ['{"a":{"sequence":9007199254740995},"sequence":9007199254740993}', 9007199254740993n],
  ['{"sequence":9007199254740993,"a":{"sequence":9007199254740995}}', 9007199254740993n],
  ['{"a":"sequence","b":9007199254740995,"sequence":9007199254740993}', 9007199254740993n],
  ['{"a":"\\",\\"sequence\\":9007199254740995","sequence":9007199254740993}', 9007199254740993n],
  ['{"\\u0073equence":9007199254740993}', 9007199254740993n],
  ['{"sequence":9007199254740995,"sequence":9007199254740993}', 9007199254740993n],
  ['{"sequence":1e18}', 10n ** 18n],
  ['{"sequence":1.5}', undefined],
  ['{"sequence":"9007199254740993"}', undefined],
  ['{"sequence":null}', undefined],
  ['{"sequence":[1]}', undefined],
  ['{}', undefined],
])('%s', (json, expected) => {
  expect(read(json)).toBe(expected);
});

test('bigints are written exactly, and texts that look like them stay texts', () => {
  const value = {
    sequence: 9223372036854775807n,
    list: [1n, -1n],
    text: '"\\u00005"',
    nested: stringify({ sequence: 9007199254740993n }),
  };
  expect(stringify(value)).toBe(
    '{"sequence":9223372036854775807,"list":[1,-1],"text":"\\"\\\\u00005\\"","nested":"{\\"sequence\\":9007199254740993}"}',
  );
});
