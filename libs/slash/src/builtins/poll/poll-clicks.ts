import { Injectable } from '@nestjs/common';
import { BuiltinClicks } from '@tieline/interactive';
import type { BuiltinClick, BuiltinClickResult } from '@tieline/interactive';
import { Db } from '@tieline/platform/database';
import type { Queryable } from '@tieline/platform/database';
import { ApiError, forbidden } from '@tieline/platform/http';
import { ClosePoll } from './close-poll.js';
import { PollMessageUpdater } from './poll-message-updater.js';
import { CLOSE_ACTION, votedOption } from './poll.view.js';
import { isPoll } from './polls.queries.js';
import type { PollId } from './polls.queries.js';
import { vote } from './vote.js';

const pollClosed = (): ApiError => new ApiError(410, 'poll_closed', 'poll is closed');
const notYourPoll = (): ApiError => forbidden('not_your_poll', "only the poll's creator can close it");

/** Handles clicks on the buttons of polls. */
@Injectable()
export class PollClicks extends BuiltinClicks {
  constructor(
    private readonly db: Db,
    private readonly messages: PollMessageUpdater,
    private readonly closePoll: ClosePoll,
  ) {
    super();
  }

  owns(q: Queryable, message: PollId): Promise<boolean> {
    return isPoll(q, message);
  }

  /**
   * Counts a vote or closes the poll. Resolves after the message shows the change.
   * @throws 410 the poll is closed; 403 another person's poll
   */
  async click({ spaceId, messageId, userId, actionId }: BuiltinClick): Promise<BuiltinClickResult> {
    const poll = { spaceId, messageId };
    if (actionId === CLOSE_ACTION) await this.close(poll, userId);
    else await this.vote(poll, userId, votedOption(actionId) ?? 0);
    return { result: 'update_message', messageId };
  }

  private async close(poll: PollId, userId: string): Promise<void> {
    const closed = await this.closePoll.run(poll, userId);
    if (closed === 'not_creator') throw notYourPoll();
    if (closed === 'over') throw pollClosed();
  }

  private async vote(poll: PollId, userId: string, option: number): Promise<void> {
    if (!(await vote(this.db, poll, userId, option))) throw pollClosed();
    await this.messages.update(poll);
  }
}
