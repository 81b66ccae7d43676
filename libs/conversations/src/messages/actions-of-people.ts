import { fingerprint, inTxOnce } from '@tieline/idempotency';
import { runInTx } from '@tieline/platform/database';
import type { Db, WritePlace } from '@tieline/platform/database';
import { accepted } from '../conversations.errors.js';
import type { CreatedMessage, CreateMessage, NewMessage } from './create-message.js';
import type { DeleteMessage, MessageDeletion } from './delete-message.js';
import type { EditMessage, MessageEdit } from './edit-message.js';
import type { Pinning, PinMessage } from './pins/pin-message.js';
import { reactToMessage } from './reactions/react-to-message.js';
import type { Reaction } from './reactions/react-to-message.js';

/* What people do to messages: the writes that everybody shares, in one transaction, which a refusal rolls back. */

/** Which message it became. */
export type PostedOnce = Pick<CreatedMessage, 'messageId' | 'msgIndex'>;

/**
 * Posts a message under a key; a repeat within 24 hours gets the first answer.
 * @throws the error of a refusal; 400 for a malformed key; 409 for one that was used for another message
 */
export async function postOnceAsPerson(
  db: Db,
  createMessage: CreateMessage,
  message: NewMessage,
  key: string,
): Promise<PostedOnce> {
  const { spaceId, author, conversationId, parentMessageId, text } = message;
  const request = {
    ...{ spaceId, key, scope: `messages-of-people:${author.id}` },
    fingerprint: fingerprint({ conversationId, parentMessageId, text }),
  };
  return inTxOnce(
    db,
    request,
    async (tx) => {
      const { messageId, msgIndex } = accepted(await createMessage.in(tx, message));
      return { messageId, msgIndex };
    },
    { spaceId, place: parentMessageId ?? conversationId },
  );
}

/** @throws the error of a refusal */
export async function editAsPerson(db: Db, editMessage: EditMessage, edit: MessageEdit): Promise<void> {
  await runInTx(db, async (tx) => accepted(await editMessage.in(tx, edit)), placeOf(edit));
}

/** @throws the error of a refusal */
export async function deleteAsPerson(
  db: Db,
  deleteMessage: DeleteMessage,
  deletion: MessageDeletion,
): Promise<void> {
  await runInTx(db, async (tx) => accepted(await deleteMessage.in(tx, deletion)), placeOf(deletion));
}

/** @throws the error of a refusal */
export async function reactAsPerson(db: Db, change: 'add' | 'remove', reaction: Reaction): Promise<void> {
  await runInTx(db, async (tx) => accepted(await reactToMessage(tx, change, reaction)), placeOf(reaction));
}

/** @throws the error of a refusal */
export async function pinAsPerson(
  db: Db,
  pinMessage: PinMessage,
  change: 'pin' | 'unpin',
  pinning: Pinning,
): Promise<void> {
  await runInTx(db, async (tx) => accepted(await pinMessage.in(tx, change, pinning)), placeOf(pinning));
}

const placeOf = ({ spaceId, messageId }: { spaceId: string; messageId: string }): WritePlace => ({
  spaceId,
  place: messageId,
});
