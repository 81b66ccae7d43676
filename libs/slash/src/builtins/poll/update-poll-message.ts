import type { EditMessage } from '@tieline/conversations';
import { signBuiltinMetadata } from '@tieline/interactive';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { SecretBox } from '@tieline/signing';
import { pollMetadata, pollText } from './poll.view.js';
import { countVotes, lockPoll } from './polls.queries.js';
import type { Poll, PollId } from './polls.queries.js';
import { MARK_POLL_SHOWN } from './polls.statements.js';

/** Edits messages of polls and opens the key that signs their buttons. */
export interface PollEditing {
  editMessage: EditMessage;
  box: SecretBox;
}

/** Edits a poll's message unless it is up to date. */
export async function updatePollMessage(db: Db, editing: PollEditing, id: PollId): Promise<void> {
  await runInTx(
    db,
    async (tx) => {
      const poll = await lockPoll(tx, id);
      if (poll && !poll.isShown) await editPollMessage(tx, editing, id, poll);
    },
    { spaceId: id.spaceId, place: id.messageId },
  );
}

/**
 * Edits a poll's message. The caller holds the poll's lock, so that no edit shows older counts than
 * an earlier one.
 */
export async function editPollMessage(
  tx: Tx,
  { editMessage, box }: PollEditing,
  { spaceId, messageId }: PollId,
  poll: Poll,
): Promise<void> {
  const counts = await countVotes(tx, { spaceId, messageId }, poll.options.length);
  const metadataJson = await signBuiltinMetadata(tx, box, { spaceId, messageId }, pollMetadata(poll, counts));
  const editor = { id: poll.creatorId, type: 'system' } as const;
  // If the message was deleted, the poll still counts as shown.
  await editMessage.in(tx, {
    spaceId,
    messageId,
    editor,
    text: pollText(poll, counts),
    metadataJson,
    access: 'granted',
  });
  await tx.query(MARK_POLL_SHOWN, [spaceId, messageId]);
}
