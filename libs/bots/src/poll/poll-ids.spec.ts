import { idFloor, queuedAt, readAfter } from './poll-ids.js';

test('an id contains the time when its record was queued', () => {
  const at = new Date('2026-11-21T09:00:00.123Z');
  expect(queuedAt(idFloor(at))).toEqual(at);
  expect(queuedAt(String(BigInt(idFloor(at)) + 999_999n))).toEqual(at);
});

test.each([
  ['', '50', '50'],
  ['49', '50', '50'],
  ['51', '50', '51'],
  ['0000000000000000051', '50', '51'],
  ['9223372036854775807', '50', '9223372036854775807'],
  ['9999999999999999999', '50', '9223372036854775807'],
])('reading after cursor %j, nothing older than %j: after %j', (cursor, oldest, after) => {
  expect(readAfter(cursor, oldest)).toBe(after);
});
