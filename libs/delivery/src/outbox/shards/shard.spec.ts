import { v7 as uuidv7 } from 'uuid';
import {
  nodeOf,
  nodesAbove,
  nodesOfSpace,
  SHARD_COUNTS,
  shardOfSlot,
  SLOTS,
  slotOf,
  slotsOf,
} from './shard.js';

test('each slot belongs to one shard per count, and shards of larger counts lie within those of smaller ones', () => {
  for (const count of SHARD_COUNTS)
    for (let slot = 0; slot < SLOTS; slot += 1) {
      const number = shardOfSlot(slot, count);
      const { first, last } = slotsOf({ count, number });
      expect(slot >= first && slot <= last).toBe(true);
      const above = SHARD_COUNTS.filter((other) => other > 1 && other < count);
      expect(nodesAbove({ count, number })).toEqual(
        above.map((other) => nodeOf({ count: other, number: shardOfSlot(slot, other) })),
      );
    }
});

test('a space belongs to one node per count', () => {
  const id = `${uuidv7().slice(0, 34)}72`;
  expect(slotOf(id)).toBe(2);
  expect(nodesOfSpace(id)).toEqual([2, 4, 9, 18]);
  expect(nodesAbove({ count: 16, number: 12 })).toEqual([3, 7, 14]);
});

test('spaces are distributed over the slots', () => {
  const seen = new Set(Array.from({ length: 1000 }, () => slotOf(uuidv7())));
  expect(seen.size).toBe(SLOTS);
});
