import { LowWaterMark } from '../low-water-mark.js';
import { RegularLowWater } from './regular-low-water.js';

const T0 = 1_000_000;

/** Records ten batches up to the id, so that the mark rises to one of the last ids. */
function raise(mark: LowWaterMark, lastId: number): void {
  mark.from(T0);
  for (let id = lastId - 9; id <= lastId; id += 1)
    mark.recordBatch({ lastId: id, full: false, ownXid: id, oldestXid: id });
}

test('rises while spaces are excluded, and the mark of all events does not', () => {
  const ofAll = new LowWaterMark();
  const regular = new RegularLowWater(ofAll);
  raise(regular.without([]), 10);
  raise(regular.without(['a']), 100);
  expect(regular.without(['a']).from(T0)).toBeGreaterThan(90);
  expect(ofAll.from(T0)).toBeLessThanOrEqual(10);
});

test('stays when further spaces are excluded', () => {
  const regular = new RegularLowWater(new LowWaterMark());
  raise(regular.without(['a']), 100);
  expect(regular.without(['b', 'a']).from(T0)).toBeGreaterThan(90);
});

test.each([[[]], [['b']], [['b', 'c']]])('falls when a space is no longer excluded: %j are left', (left) => {
  const regular = new RegularLowWater(new LowWaterMark());
  raise(regular.without([]), 10);
  raise(regular.without(['a', 'b']), 100);
  expect(regular.without(left).from(T0)).toBeLessThanOrEqual(10);
});
