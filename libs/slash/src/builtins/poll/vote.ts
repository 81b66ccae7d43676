import { statement } from '@tieline/platform/database';
import type { Queryable } from '@tieline/platform/database';
import type { PollId } from './polls.queries.js';

// The poll's row is the lock between votes and the end of the poll; it also counts what its message does not show yet.
const VOTE = statement(
  'slash.vote',
  `WITH poll AS (
     UPDATE polls SET version = version + 1, changed_at = clock_timestamp()
      WHERE space_id = $1 AND message_id = $2 AND closed_at IS NULL AND $4 BETWEEN 1 AND cardinality(options) RETURNING 1)
   INSERT INTO poll_votes (space_id, message_id, user_id, option) SELECT $1, $2, $3, $4::smallint FROM poll
   ON CONFLICT (space_id, message_id, user_id) DO UPDATE SET option = excluded.option RETURNING 1 AS n`,
);

/**
 * Makes an option (from 1) a person's only vote, in the place of an earlier one. The same again changes nothing, so that a
 * click that was sent twice counts once.
 * @returns false when the poll is closed
 */
export async function vote(
  q: Queryable,
  { spaceId, messageId }: PollId,
  userId: string,
  option: number,
): Promise<boolean> {
  return (await q.query(VOTE, [spaceId, messageId, userId, option])).length > 0;
}
