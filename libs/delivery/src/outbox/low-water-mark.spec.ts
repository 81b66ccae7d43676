import { LowWaterMark } from './low-water-mark.js';

const T0 = 1_000_000;

/** Returns a mark after its scan from the beginning. */
function marked(): LowWaterMark {
  const mark = new LowWaterMark();
  expect(mark.from(T0)).toBe(0);
  return mark;
}
const batch = (lastId: number, ownXid: number, oldestXid: number, full = false) => ({
  lastId,
  full,
  ownXid,
  oldestXid,
});

test('rises when all transactions that were writing have ended', () => {
  const mark = marked();
  mark.recordBatch(batch(10, 100, 100));
  expect(mark.from(T0)).toBe(0);
  mark.recordBatch(batch(20, 105, 103));
  expect(mark.from(T0)).toBe(0);
  mark.recordBatch(batch(30, 110, 108));
  expect(mark.from(T0)).toBe(10);
});

test('waits for a transaction with a smaller id that is still writing', () => {
  const mark = marked();
  mark.recordBatch(batch(10, 100, 99));
  for (let n = 1; n < 50; n += 1) mark.recordBatch(batch(10 + n, 100 + n, 99));
  expect(mark.from(T0)).toBe(0);
  mark.recordBatch(batch(61, 151, 151));
  expect(mark.from(T0)).toBe(10);
});

test('does not rise above events that a full batch left behind', () => {
  const mark = marked();
  mark.recordBatch(batch(1000, 100, 100));
  mark.recordBatch(batch(1001, 101, 101));
  mark.recordBatch(batch(7, 102, 102, true));
  expect(mark.from(T0)).toBe(7);
});

test('scans from the beginning periodically', () => {
  const mark = marked();
  for (let n = 1; n <= 5; n += 1) mark.recordBatch(batch(n, n, n));
  expect(mark.from(T0 + 299_999)).toBeGreaterThan(0);
  expect(mark.from(T0 + 300_000)).toBe(0);
  expect(mark.from(T0 + 300_001)).toBeGreaterThan(0);
});

test('a look that finds nothing from the beginning replaces the scan, one that finds something does not', () => {
  const mark = marked();
  for (let n = 1; n <= 5; n += 1) mark.recordBatch(batch(n, n, n));
  const later = T0 + 300_000;
  expect([mark.peek(T0 + 299_999) > 0, mark.peek(later), mark.peek(later)]).toEqual([true, 0, 0]);
  expect(mark.from(later)).toBe(0);
  const next = later + 300_000;
  mark.wasEmpty(mark.peek(next), next);
  expect([mark.peek(next) > 0, mark.from(next) > 0]).toEqual([true, true]);
});
