import type { Queryable } from '@tieline/platform/database';
import type { PollId } from './polls.queries.js';
import { VOTE } from './polls.statements.js';

/**
 * Makes an option (from 1) a person's only vote, in the place of an earlier one. The same again
 * changes nothing, so that a click that was sent twice counts once.
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
