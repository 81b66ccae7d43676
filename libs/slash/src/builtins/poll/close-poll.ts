import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import { lockPoll } from './polls.queries.js';
import type { PollId } from './polls.queries.js';
import { CLOSE_POLL } from './polls.statements.js';
import { UpdatePollMessage } from './update-poll-message.js';

/** Closes polls. */
@Injectable()
export class ClosePoll {
  constructor(
    private readonly db: Db,
    private readonly updateMessage: UpdatePollMessage,
  ) {}

  /**
   * Closes a poll: its message shows the final counts without buttons, and later votes are refused.
   * @returns `closed`, or why nothing changed
   */
  async run({ spaceId, messageId }: PollId, userId: string): Promise<'closed' | 'over' | 'not_creator'> {
    return runInTx(
      this.db,
      async (tx) => {
        const poll = await lockPoll(tx, { spaceId, messageId });
        if (!poll || poll.isClosed) return 'over';
        if (poll.creatorId !== userId) return 'not_creator';
        await tx.query(CLOSE_POLL, [spaceId, messageId]);
        await this.updateMessage.in(tx, { spaceId, messageId }, { ...poll, isClosed: true });
        return 'closed';
      },
      { spaceId, place: messageId },
    );
  }
}
