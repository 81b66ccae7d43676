import { unprepared } from '@tieline/platform/database';
import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import { COUNT_VOTES, FIND_UNSHOWN_POLLS, FIND_POLL, LOCK_POLL } from './polls.statements.js';

/** Identifies a poll. The id of its message is its id. */
export interface PollId {
  spaceId: string;
  messageId: string;
}

/** A poll, locked until the end of the transaction so that no vote interferes. */
export type Poll = RowOf<typeof LOCK_POLL>;

/** Locks and returns a poll; undefined if the message is not a poll. */
export async function lockPoll(tx: Tx, { spaceId, messageId }: PollId): Promise<Poll | undefined> {
  const [row] = await tx.query(LOCK_POLL, [spaceId, messageId]);
  return row;
}

/**
 * Returns the votes of the first `options` options, in order. Exact while the caller holds the
 * poll's lock.
 */
export async function countVotes(tx: Tx, { spaceId, messageId }: PollId, options: number): Promise<number[]> {
  const counts = new Array<number>(options).fill(0);
  const rows = await tx.query(COUNT_VOTES, [spaceId, messageId]);
  for (const { option, votes } of rows) counts[option - 1] = votes;
  return counts;
}

/** Returns whether the message is a poll. */
export async function isPoll(q: Queryable, { spaceId, messageId }: PollId): Promise<boolean> {
  return (await q.query(FIND_POLL, [spaceId, messageId])).length > 0;
}

/** Returns polls whose messages have been outdated for at least this many seconds, oldest first. */
export async function unshownPolls(
  q: Queryable,
  { afterSeconds, limit }: { afterSeconds: number; limit: number },
): Promise<PollId[]> {
  return q.query(unprepared(FIND_UNSHOWN_POLLS), [afterSeconds, limit]);
}
