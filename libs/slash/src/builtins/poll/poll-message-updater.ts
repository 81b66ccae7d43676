import { Injectable } from '@nestjs/common';
import { EditMessage } from '@tieline/conversations';
import { microBatch, Db } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import { updatePollMessage } from './update-poll-message.js';
import type { PollEditing } from './update-poll-message.js';
import type { PollId } from './polls.queries.js';

/**
 * Batches of edits under way in this process; a vote that comes meanwhile waits for the next batch.
 */
const MAX_IN_FLIGHT = 2;

/** Keeps polls' messages up to date while people vote: votes that come together share one edit. */
@Injectable()
export class PollMessageUpdater {
  /**
   * Brings a poll's message up to date with every committed vote. Never throws: the worker repeats
   * a failed edit (`show-forgotten-votes.ts`), and the vote counts either way.
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
