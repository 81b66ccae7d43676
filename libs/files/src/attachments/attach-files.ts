import { findConversation, resolveReply } from '@tieline/conversations';
import type { Attachments } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import type { FileLookupResult } from './file-lookup.js';
import {
  alreadyAttached,
  duplicateAttachment,
  fileNotReady,
  fileNotUsable,
  tooManyAttachments,
} from '../files.errors.js';
import type { StoredFile } from '../file.entity.js';
import { idOf } from '../files.queries.js';
import type { Uploader } from '../files.queries.js';
import { ATTACH_FILES, LOCK_FILES } from './attachments.statements.js';
import { fileRecord } from '../file.view.js';
import type { FileRecord } from '../file.view.js';

/** Maximum number of files in one message or run. */
const MAX_ATTACHMENTS = 15;

/** Files that a bot or a person wants to attach. */
export interface FileSelection {
  /** The conversation id in the request. */
  conversationId: string;
  /** The message that is replied to, if any. Files made for its thread are accepted too. */
  parentMessageId?: string;
  fileIds: readonly string[];
  /** The result of the storage check before the transaction. Absent: all files count as present. */
  found?: FileLookupResult;
}

/** Files to attach to a message. */
export interface FilesToAttach extends FileSelection {
  /** A new message that the same transaction writes, or one whose conversation's lock it holds. */
  messageId: string;
}

/** A message's files, and whether storage confirmed them. */
export interface AttachedFiles extends Attachments {
  records: FileRecord[];
  status: 'pending' | 'attached' | 'failed';
}

/**
 * Attaches files to a message in the given order, in the transaction that writes it. If two
 * messages want the same file, the second waits for the first and is refused. Locks only the files;
 * the caller checks membership and archive state.
 *
 * @returns the records, with status `attached`, or `pending` if storage did not answer. A worker
 * then checks again and edits the message.
 * @throws 403 unknown, another person's or another conversation's. 400 not ready (also if its bytes
 * are missing), already attached, listed twice, or more than 15.
 */
export async function attachFiles(tx: Tx, owner: Uploader, wanted: FilesToAttach): Promise<AttachedFiles> {
  const files = await lockAttachable(tx, owner, wanted);
  const { conversationId, messageId, found } = wanted;
  const status = files.some(({ id }) => found?.undecided.has(id)) ? 'pending' : 'attached';
  await tx.query(ATTACH_FILES, {
    spaceId: owner.spaceId,
    messageId,
    conversationId,
    fileIds: files.map(({ id }) => id),
    botId: 'botId' in owner ? owner.botId : null,
    userId: 'botId' in owner ? null : owner.userId,
    status,
  });
  return { records: files.map((file) => fileRecord(file, status === 'attached' ? messageId : '')), status };
}

/**
 * Runs the checks of {@link attachFiles} without attaching. The files stay locked until the end of
 * the transaction.
 * @returns the records, in the given order.
 */
export async function inspectFiles(tx: Tx, owner: Uploader, named: FileSelection): Promise<FileRecord[]> {
  return (await lockAttachable(tx, owner, named)).map((file) => fileRecord(file));
}

async function lockAttachable(tx: Tx, owner: Uploader, named: FileSelection): Promise<StoredFile[]> {
  const { fileIds, found } = named;
  if (fileIds.length > MAX_ATTACHMENTS) throw tooManyAttachments();
  if (new Set(fileIds).size < fileIds.length) throw duplicateAttachment();
  const rows: StoredFile[] = await tx.query(LOCK_FILES, [owner.spaceId, idOf(owner), fileIds]);
  const byId = new Map(rows.map((file) => [file.id, ofConversation(file, named.conversationId)]));
  const files = fileIds.map((id) => byId.get(id) ?? refuse());
  if (!(await allBelongTo(tx, owner.spaceId, named, files))) throw fileNotUsable();
  for (const file of files) {
    if (file.messageId !== null) throw alreadyAttached();
    if (file.status !== 'ready' || found?.missing.has(file.id)) throw fileNotReady();
  }
  return files;
}

/** Returns a file that was made for no conversation as a file of the given one. */
const ofConversation = (
  file: StoredFile,
  conversationId: string,
): StoredFile & { conversationId: string } => ({
  ...file,
  conversationId: file.conversationId ?? conversationId,
});

function refuse(): never {
  throw fileNotUsable();
}

/**
 * Returns whether every file was made for the given conversation, for its channel if it is a
 * thread, or for the thread that the reply is stored in.
 */
async function allBelongTo(
  tx: Tx,
  spaceId: string,
  { conversationId, parentMessageId }: FileSelection,
  files: readonly { conversationId: string }[],
): Promise<boolean> {
  const places = new Set([conversationId]);
  const allFit = (): boolean => files.every((file) => places.has(file.conversationId));
  if (allFit()) return true;
  const conversation = await findConversation(tx, spaceId, conversationId);
  if (!conversation) return false;
  places.add(conversation.channelId);
  if (allFit() || parentMessageId === undefined) return allFit();
  const reply = await resolveReply(tx, spaceId, conversation, parentMessageId);
  if (reply?.threadConversationId !== undefined) places.add(reply.threadConversationId);
  return allFit();
}
