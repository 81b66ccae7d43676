import type { Queryable } from '@tieline/platform/database';
import type { PollId } from './polls.queries.js';
import { SET_VOTE } from './polls.statements.js';

/**
 * Sets a person's only vote to an option (from 1), replacing an earlier vote. Idempotent, so that a
 * click sent twice counts once.
 * @returns false if the poll is closed
 */
export async function vote(q: Queryable, poll: PollId, userId: string, option: number): Promise<boolean> {
  return (await q.query(SET_VOTE, { ...poll, userId, option })).length > 0;
}
