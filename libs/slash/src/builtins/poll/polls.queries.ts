import { statement } from '@tieline/platform/database';
import type { Queryable, Tx } from '@tieline/platform/database';

/** Which poll: its message is its id. */
export interface PollId {
  spaceId: string;
  messageId: string;
}

/** A poll, locked until the end of the transaction: no vote comes in between. */
export interface Poll {
  creatorId: string;
  question: string;
  options: string[];
  isClosed: boolean;
  /** Whether its message shows every vote. */
  isShown: boolean;
}

const LOCK = statement(
  'slash.lock_poll',
  `SELECT creator_id AS "creatorId", question, options, closed_at IS NOT NULL AS "isClosed", version = shown_version AS "isShown"
     FROM polls WHERE space_id = $1 AND message_id = $2 FOR NO KEY UPDATE`,
);
const COUNTS = statement(
  'slash.poll_counts',
  'SELECT option, count(*) AS votes FROM poll_votes WHERE space_id = $1 AND message_id = $2 GROUP BY option',
);

/** Locks a poll; undefined when that message is none. */
export async function lockPoll(tx: Tx, { spaceId, messageId }: PollId): Promise<Poll | undefined> {
  const [row] = await tx.query<Poll>(LOCK, [spaceId, messageId]);
  return row;
}

/** The votes of each of so many options, in their order. Exact for who holds the poll's lock. */
export async function countVotes(tx: Tx, { spaceId, messageId }: PollId, options: number): Promise<number[]> {
  const counts = new Array<number>(options).fill(0);
  for (const { option, votes } of await tx.query<{ option: number; votes: number }>(COUNTS, [
    spaceId,
    messageId,
  ]))
    counts[option - 1] = votes;
  return counts;
}

/** Whether that message is a poll. */
export async function isPoll(q: Queryable, { spaceId, messageId }: PollId): Promise<boolean> {
  return (
    (await q.query('SELECT 1 AS n FROM polls WHERE space_id = $1 AND message_id = $2', [spaceId, messageId]))
      .length > 0
  );
}

/** Polls whose messages have lacked votes for so many seconds, those that waited longest first. */
export async function unshownPolls(
  q: Queryable,
  { afterSeconds, limit }: { afterSeconds: number; limit: number },
): Promise<PollId[]> {
  return q.query<PollId>(
    `SELECT space_id AS "spaceId", message_id AS "messageId" FROM polls
      WHERE version > shown_version AND changed_at <= clock_timestamp() - $1::float8 * interval '1 second' ORDER BY changed_at LIMIT $2`,
    [afterSeconds, limit],
  );
}
