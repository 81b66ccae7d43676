import { idempotencyKeyOf, requiredIdempotencyKey } from './key-of.js';

test.each<[string, string | undefined, unknown, string | undefined]>([
  ['header', 'a:1', undefined, 'a:1'],
  ['body', undefined, 'b_2', 'b_2'],
  ['both, equal', 'c-3', 'c-3', 'c-3'],
  ['null in the body', 'd.4', null, 'd.4'],
  ['none', undefined, null, undefined],
  ['an empty header', '', undefined, undefined],
  ['an empty header with a valid body', '', 'e', 'e'],
  ['an empty body with a valid header', 'f', '', 'f'],
  ['both empty', '', '', undefined],
])('the key: %s', (_, header, body, key) => {
  expect(idempotencyKeyOf(header, body)).toBe(key);
});

test.each<[string, string | undefined, unknown]>([
  ['different ones', 'a', 'b'],
  ['a number', undefined, 5],
  ['129 characters', 'a'.repeat(129), undefined],
  ['a space', undefined, 'a b'],
])('400: %s', (_, header, body) => {
  expect(() => idempotencyKeyOf(header, body)).toThrow(expect.objectContaining({ status: 400 }));
});

test('400 where a key is required', () => {
  expect(() => requiredIdempotencyKey(undefined, undefined)).toThrow(
    expect.objectContaining({ status: 400 }),
  );
  expect(requiredIdempotencyKey('a'.repeat(128), undefined)).toHaveLength(128);
});
