/**
 * Number of slots. A space's slot is the last four bits of its id, which are random, and never
 * changes. The index `outbox_by_slot` contains it.
 */
export const SLOTS = 16;
/** SQL expression for a space's slot. The index uses the same text. */
export const SLOT_OF_SPACE = '(get_byte(uuid_send(space_id), 15) & 15)';

/** Possible numbers of relays. Each divides the next, so smaller shards lie within larger ones. */
export const SHARD_COUNTS = [1, 2, 4, 8, 16] as const;

/** A range of slots that one relay plans: number `number` of `count`. */
export interface Shard {
  count: number;
  /** Starts at 0. */
  number: number;
}

/** The whole outbox. */
export const WHOLE: Shard = { count: 1, number: 0 };

/** Returns the slot of a space. */
export function slotOf(spaceId: string): number {
  return Number.parseInt(spaceId.slice(-2), 16) & (SLOTS - 1);
}

/** Returns the first and last slot of a shard. */
export function slotsOf({ count, number }: Shard): { first: number; last: number } {
  const size = SLOTS / count;
  return { first: number * size, last: (number + 1) * size - 1 };
}

/** Returns the number of the shard that contains a slot. */
export function shardOfSlot(slot: number, count: number): number {
  return Math.floor((slot * count) / SLOTS);
}

/**
 * Returns the shard's number in the tree of all counts: 1 is the whole, 2 and 3 are its halves, 4
 * and 5 the halves of 2. Shards overlap if they are equal or one is above the other.
 */
export function nodeOf({ count, number }: Shard): number {
  return count + number;
}

/** Returns the nodes of all shards that contain a space, except the whole. */
export function nodesOfSpace(spaceId: string): number[] {
  return SHARD_COUNTS.slice(1).map((count) => count + shardOfSlot(slotOf(spaceId), count));
}

/**
 * Returns the nodes of the larger shards that contain a shard, except the whole, largest first.
 */
export function nodesAbove(shard: Shard): number[] {
  const above: number[] = [];
  for (let node = nodeOf(shard) >> 1; node > 1; node >>= 1) above.unshift(node);
  return above;
}
