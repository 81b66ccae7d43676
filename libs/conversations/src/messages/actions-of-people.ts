import { findAnswer, fingerprint, inTxOnce, isRepeated } from '@tieline/idempotency';
import type { IdempotentRequest } from '@tieline/idempotency';
import type { ChargeOptions } from '@tieline/rate-limit';
import { CommitUnknown, runInTx } from '@tieline/platform/database';
import type { Db, Tx, WritePlace } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import { sendingAccess } from '../access/sending-access.js';
import { throwIfRefused } from '../conversations.errors.js';
import type { CreatedMessage, CreateMessage, NewMessage } from './create-message.js';
import type { DeleteMessage, MessageDeletion } from './delete-message.js';
import type { EditMessage, MessageEdit } from './edit-message.js';
import type { PinChange, PinMessage } from './pins/pin-message.js';
import type { AttachmentStatus } from '../events/shown-message.js';
import type { BindFiles, FilesOfPeople } from '../ports/files-of-people.js';
import type { PostMessage } from './posting/post-message.js';
import { reactToMessage } from './reactions/react-to-message.js';
import type { Reaction } from './reactions/react-to-message.js';

/*
 * Message actions of people: each runs a shared write in one transaction, which a refusal rolls
 * back.
 */

/** What the sender receives. */
export interface PostedPersonMessage extends Pick<CreatedMessage, 'messageId' | 'msgIndex'> {
  /** Set only for messages with files. */
  attachmentStatus?: AttachmentStatus;
}

/** A message with its files and idempotency key. */
export interface PersonMessage extends NewMessage {
  fileIds: readonly string[];
  /** Idempotency key: a repeat within 24 hours returns the first result. */
  key: string | undefined;
}

/** The services that post a message and attach its files. */
export interface MessageWriters {
  postMessage: PostMessage;
  createMessage: CreateMessage;
  files: FilesOfPeople;
}

/**
 * Posts a message. A message without files and key shares one statement with concurrent messages.
 * Otherwise the message, its files and the key are written in one transaction.
 * @throws the error of a refusal; 403 and 400 for files that cannot be attached; 400 for a
 * malformed key; 409 for one that was used for another message
 */
export async function postAsPerson(
  db: Db,
  writers: MessageWriters,
  message: PersonMessage,
): Promise<PostedPersonMessage> {
  const { spaceId, author, conversationId, parentMessageId, fileIds, key } = message;
  if (key === undefined && fileIds.length === 0)
    return throwIfRefused(await writers.postMessage.run(message));
  // Before the transaction: file storage must not be called inside one.
  const bind =
    fileIds.length > 0 ? await writers.files.prepare({ spaceId, userId: author.id }, fileIds) : undefined;
  let posted: PostedPersonMessage | undefined;
  const write = async (tx: Tx): Promise<PostedPersonMessage> =>
    (posted = await postInTx(tx, writers.createMessage, message, bind));
  const where = { spaceId, place: parentMessageId ?? conversationId };
  const request = keyedRequest(message);
  if (request) return inTxOnce(db, request, write, where);
  return runInTx(db, write, where).catch(async (error: unknown) => {
    if (!(error instanceof CommitUnknown) || !posted) throw error;
    if (await writers.postMessage.isStored(spaceId, posted.messageId)) return posted;
    throw error;
  });
}

/** Returns how to find a repeat of a message. Repeats are not charged. */
export function repeatLookupOfPerson(
  db: Db,
  message: PersonMessage,
): Pick<ChargeOptions<PostedPersonMessage>, 'findRepeat' | 'isRepeat'> {
  const request = keyedRequest(message);
  return request
    ? { findRepeat: () => findAnswer<PostedPersonMessage>(db, request), isRepeat: isRepeated }
    : {};
}

function keyedRequest(message: PersonMessage): IdempotentRequest | undefined {
  const { spaceId, author, conversationId, parentMessageId, text, fileIds, key } = message;
  if (key === undefined) return undefined;
  const meaning = { conversationId, parentMessageId, text, ...(fileIds.length > 0 && { fileIds }) };
  return { spaceId, key, scope: `messages-of-people:${author.id}`, fingerprint: fingerprint(meaning) };
}

/**
 * Attaches files before the conversation is locked, and only if the person may write there. Others
 * learn nothing about the files.
 */
async function postInTx(
  tx: Tx,
  createMessage: CreateMessage,
  message: PersonMessage,
  bind: BindFiles | undefined,
): Promise<PostedPersonMessage> {
  const withId = { ...message, messageId: uuidv7() };
  if (bind) throwIfRefused(await sendingAccess(tx, message));
  const attachments = bind && (await bind(tx, withId));
  const { messageId, msgIndex } = throwIfRefused(
    await createMessage.in(tx, { ...withId, ...(attachments && { attachments }) }),
  );
  return { messageId, msgIndex, ...(attachments && { attachmentStatus: attachments.status }) };
}

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
