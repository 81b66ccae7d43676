import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { lockPoll } from './polls.queries.js';
import type { PollId } from './polls.queries.js';
import { CLOSE_POLL } from './polls.statements.js';
import { editPollMessage } from './update-poll-message.js';
import type { PollEditing } from './update-poll-message.js';

/**
 * Closes a poll: its message shows the final counts without buttons, and later votes are refused.
 * @returns `closed`, or why nothing changed
 */
export async function closePoll(
  db: Db,
  editing: PollEditing,
  { spaceId, messageId }: PollId,
  userId: string,
): Promise<'closed' | 'over' | 'not_creator'> {
  return runInTx(
    db,
    async (tx) => {
      const poll = await lockPoll(tx, { spaceId, messageId });
      if (!poll || poll.isClosed) return 'over';
      if (poll.creatorId !== userId) return 'not_creator';
      await tx.query(CLOSE_POLL, [spaceId, messageId]);
      await editPollMessage(tx, editing, { spaceId, messageId }, { ...poll, isClosed: true });
      return 'closed';
    },
    { spaceId, place: messageId },
  );
}
