import { Injectable } from '@nestjs/common';
import { EditMessage } from '@tieline/conversations';
import { signBuiltinMetadata } from '@tieline/interactive';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import { pollMetadata, pollText } from './poll.view.js';
import { countVotes, lockPoll } from './polls.queries.js';
import type { Poll, PollId } from './polls.queries.js';
import { MARK_POLL_SHOWN } from './polls.statements.js';

/** Edits the messages of polls. */
@Injectable()
export class UpdatePollMessage {
  constructor(
    private readonly db: Db,
    private readonly editMessage: EditMessage,
    private readonly box: SecretBox,
  ) {}

  /** Edits a poll's message unless it is up to date. */
  async run(id: PollId): Promise<void> {
    await runInTx(
      this.db,
      async (tx) => {
        const poll = await lockPoll(tx, id);
        if (poll && !poll.isShown) await this.in(tx, id, poll);
      },
      { spaceId: id.spaceId, place: id.messageId },
    );
  }

  /**
   * Edits a poll's message. The caller holds the poll's lock, so that no edit shows older counts
   * than an earlier one.
   */
  async in(tx: Tx, { spaceId, messageId }: PollId, poll: Poll): Promise<void> {
    const counts = await countVotes(tx, { spaceId, messageId }, poll.options.length);
    const metadata = pollMetadata(poll, counts);
    // If the message was deleted, the poll still counts as shown.
    await this.editMessage.in(tx, {
      spaceId,
      messageId,
      editor: { id: poll.creatorId, type: 'system' },
      text: pollText(poll, counts),
      metadataJson: await signBuiltinMetadata(tx, this.box, { spaceId, messageId }, metadata),
      access: 'granted',
    });
    await tx.query(MARK_POLL_SHOWN, [spaceId, messageId]);
  }
}
