/**
 * What spaces are divided into for good, by the last four bits of their ids: those are random. The
 * index `outbox_by_slot` holds them.
 */
export const SLOTS = 16;
/** The slot of a space as the database says it; the same text as in the index. */
export const SLOT_OF_SPACE = '(get_byte(uuid_send(space_id), 15) & 15)';

/**
 * How many relays may share the outbox: numbers of which each divides the next, so that the shards
 * of one lie within those of another.
 */
export const SHARD_COUNTS = [1, 2, 4, 8, 16] as const;

/** A part of the outbox that one relay plans at a time: one of `count` ranges of slots. */
export interface Shard {
  count: number;
  /** From 0. */
  number: number;
}

/** The whole outbox. */
export const WHOLE: Shard = { count: 1, number: 0 };

/** The slot of a space. */
export function slotOf(spaceId: string): number {
  return Number.parseInt(spaceId.slice(-2), 16) & (SLOTS - 1);
}

/** The slots of a shard, from first to last. */
export function slotsOf({ count, number }: Shard): { first: number; last: number } {
  const size = SLOTS / count;
  return { first: number * size, last: (number + 1) * size - 1 };
}

/** Which of so many shards a slot belongs to. */
export function shardOfSlot(slot: number, count: number): number {
  return Math.floor((slot * count) / SLOTS);
}

/**
 * The number of a shard among those of all counts: 1 is the whole, 2 and 3 its halves, 4 and 5
 * those of 2. Shards overlap when one is the other or lies above it.
 */
export function nodeOf({ count, number }: Shard): number {
  return count + number;
}

/** The nodes of all shards, of whatever count, that a space lies in, but for the whole. */
export function nodesOfSpace(spaceId: string): number[] {
  return SHARD_COUNTS.slice(1).map((count) => count + shardOfSlot(slotOf(spaceId), count));
}

/** The shards that a shard lies in, but for the whole: the largest first. */
export function nodesAbove(shard: Shard): number[] {
  const above: number[] = [];
  for (let node = nodeOf(shard) >> 1; node > 1; node >>= 1) above.unshift(node);
  return above;
}
