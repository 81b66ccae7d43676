import { Injectable } from '@nestjs/common';
import { microBatch } from '@tieline/platform/database';
import { UpdatePollMessage } from './update-poll-message.js';
import type { PollId } from './polls.queries.js';

/**
 * Maximum number of edit batches in flight in this process. Later votes wait for the next batch.
 */
const MAX_IN_FLIGHT = 2;

/** Updates the messages of polls while people vote. Concurrent votes share one edit. */
@Injectable()
export class PollMessageUpdater {
  /**
   * Updates a poll's message with every committed vote. Never throws: the vote counts anyway, and
   * the worker repeats a failed edit (`show-missed-votes.ts`).
   */
  readonly update: (poll: PollId) => Promise<void>;

  constructor(private readonly updateMessage: UpdatePollMessage) {
    this.update = microBatch((polls: PollId[]) => this.updateAll(polls), { maxInFlight: MAX_IN_FLIGHT });
  }

  private async updateAll(polls: PollId[]): Promise<void[]> {
    const distinct = new Map(polls.map((poll) => [poll.messageId, poll]));
    await Promise.allSettled([...distinct.values()].map((poll) => this.updateMessage.run(poll)));
    return polls.map(() => undefined);
  }
}
