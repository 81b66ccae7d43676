import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import { COUNT_VOTES, FIND_UNSHOWN_POLLS, IS_POLL, LOCK_POLL } from './polls.statements.js';

/** Which poll: its message is its id. */
export interface PollId {
  spaceId: string;
  messageId: string;
}

/** A poll, locked until the end of the transaction: no vote comes in between. */
export type Poll = RowOf<typeof LOCK_POLL>;

/** Locks a poll; undefined when that message is none. */
export async function lockPoll(tx: Tx, { spaceId, messageId }: PollId): Promise<Poll | undefined> {
  const [row] = await tx.query(LOCK_POLL, [spaceId, messageId]);
  return row;
}

/**
 * The votes of the first `count` options, in order. Exact while the caller holds the poll's lock.
 */
export async function countVotes(tx: Tx, { spaceId, messageId }: PollId, options: number): Promise<number[]> {
  const counts = new Array<number>(options).fill(0);
  const rows = await tx.query(COUNT_VOTES, [spaceId, messageId]);
  for (const { option, votes } of rows) counts[option - 1] = votes;
  return counts;
}

/** Whether that message is a poll. */
export async function isPoll(q: Queryable, { spaceId, messageId }: PollId): Promise<boolean> {
  return (await q.query(IS_POLL, [spaceId, messageId])).length > 0;
}

/**
 * Polls whose messages have lacked votes for this many seconds, those that waited longest first.
 */
export async function unshownPolls(
  q: Queryable,
  { afterSeconds, limit }: { afterSeconds: number; limit: number },
): Promise<PollId[]> {
  return q.query(FIND_UNSHOWN_POLLS, [afterSeconds, limit]);
}
