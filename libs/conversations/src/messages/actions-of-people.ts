import { runInTx } from '@tieline/platform/database';
import type { Db, WritePlace } from '@tieline/platform/database';
import { throwIfRefused } from '../conversations.errors.js';
import type { DeleteMessage, MessageDeletion } from './delete-message.js';
import type { EditMessage, MessageEdit } from './edit-message.js';
import type { PinChange, PinMessage } from './pins/pin-message.js';
import { reactToMessage } from './reactions/react-to-message.js';
import type { Reaction } from './reactions/react-to-message.js';

/*
 * Message actions of people: each runs a shared write in one transaction, which a refusal rolls
 * back.
 */

/** @throws the error of a refusal */
export async function editAsPerson(db: Db, editMessage: EditMessage, edit: MessageEdit): Promise<void> {
  await runInTx(db, async (tx) => throwIfRefused(await editMessage.in(tx, edit)), placeOf(edit));
}

/** @throws the error of a refusal */
export async function deleteAsPerson(
  db: Db,
  deleteMessage: DeleteMessage,
  deletion: MessageDeletion,
): Promise<void> {
  await runInTx(db, async (tx) => throwIfRefused(await deleteMessage.in(tx, deletion)), placeOf(deletion));
}

/** @throws the error of a refusal */
export async function reactAsPerson(db: Db, change: 'add' | 'remove', reaction: Reaction): Promise<void> {
  await runInTx(
    db,
    async (tx) => throwIfRefused(await reactToMessage(tx, change, reaction)),
    placeOf(reaction),
  );
}

/** @throws the error of a refusal */
export async function pinAsPerson(
  db: Db,
  pinMessage: PinMessage,
  change: 'pin' | 'unpin',
  pinning: PinChange,
): Promise<void> {
  await runInTx(db, async (tx) => throwIfRefused(await pinMessage.in(tx, change, pinning)), placeOf(pinning));
}

const placeOf = ({ spaceId, messageId }: { spaceId: string; messageId: string }): WritePlace => ({
  spaceId,
  place: messageId,
});
