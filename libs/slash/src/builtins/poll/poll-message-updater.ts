import { Injectable } from '@nestjs/common';
import { EditMessage } from '@tieline/conversations';
import { microBatch, Db } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import { updatePollMessage } from './update-poll-message.js';
import type { PollEditing } from './update-poll-message.js';
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

  constructor(db: Db, editMessage: EditMessage, box: SecretBox) {
    this.update = microBatch((polls: PollId[]) => updateAll(db, { editMessage, box }, polls), {
      maxInFlight: MAX_IN_FLIGHT,
    });
  }
}

async function updateAll(db: Db, editing: PollEditing, polls: PollId[]): Promise<void[]> {
  const distinct = new Map(polls.map((poll) => [poll.messageId, poll]));
  await Promise.allSettled([...distinct.values()].map((poll) => updatePollMessage(db, editing, poll)));
  return polls.map(() => undefined);
}
