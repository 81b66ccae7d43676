import { findConversation, resolveReply } from '@tieline/conversations';
import type { Attachments } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import type { FoundFiles } from './file-lookup.js';
import {
  alreadyAttached,
  attachedTwice,
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

/** Contract, Limits: files of one message or run. */
export const MAX_ATTACHMENTS = 15;

/** Files that a bot or a person names. */
export interface NamedFiles {
  /** The conversation as the caller names it. */
  conversationId: string;
  /** The message that is replied to, where there is one: files made for its thread fit as well. */
  parentMessageId?: string;
  fileIds: readonly string[];
  /** What the store said of them before the transaction; absent: they are taken to be there. */
  found?: FoundFiles;
}

/** Files on their way into a message. */
export interface FilesToAttach extends NamedFiles {
  /** A new message that the same transaction writes, or one whose conversation's lock it holds. */
  messageId: string;
}

/** A message's files, and whether the store confirmed them. */
export interface AttachedFiles extends Attachments {
  records: FileRecord[];
  status: 'pending' | 'attached' | 'failed';
}

/**
 * Binds files to a message, in the order given, inside the transaction that writes it (contract,
 * Attachment status). Of two messages that want the same file the second waits for the first, and
 * is refused. Locks the files only: membership and archive state are the caller's to check.
 *
 * @returns the records and `attached`, or `pending` where the store was silent: a worker asks again
 * and tells by an edit
 * @throws 403 unknown, somebody else's or another conversation's; 400 not ready (also when its
 * bytes are gone), attached already, named twice, more than 15
 */
export async function attachFiles(tx: Tx, owner: Uploader, wanted: FilesToAttach): Promise<AttachedFiles> {
  const files = await lockUsable(tx, owner, wanted);
  const { messageId, found } = wanted;
  const status = files.some(({ id }) => found?.undecided.has(id)) ? 'pending' : 'attached';
  await tx.query(ATTACH_FILES, [
    owner.spaceId,
    messageId,
    files.map(({ id }) => id),
    ...columnsOf(owner),
    status,
  ]);
  return { records: files.map((file) => fileRecord(file, status === 'attached' ? messageId : '')), status };
}

/**
 * The same checks as {@link attachFiles} without attaching; the files stay locked until the end of
 * the transaction.
 * @returns the records, in the order given
 */
export async function inspectFiles(tx: Tx, owner: Uploader, named: NamedFiles): Promise<FileRecord[]> {
  return (await lockUsable(tx, owner, named)).map((file) => fileRecord(file));
}

async function lockUsable(tx: Tx, owner: Uploader, named: NamedFiles): Promise<StoredFile[]> {
  const { fileIds, found } = named;
  if (fileIds.length > MAX_ATTACHMENTS) throw tooManyAttachments();
  if (new Set(fileIds).size < fileIds.length) throw attachedTwice();
  const rows: StoredFile[] = await tx.query(LOCK_FILES, [owner.spaceId, idOf(owner), fileIds]);
  const byId = new Map(rows.map((file) => [file.id, file]));
  const files = fileIds.map((id) => byId.get(id) ?? refuse());
  if (!(await belongThere(tx, owner.spaceId, named, files))) throw fileNotUsable();
  for (const file of files) {
    if (file.messageId !== null) throw alreadyAttached();
    if (file.status !== 'ready' || found?.missing.has(file.id)) throw fileNotReady();
  }
  return files;
}

/** `bot_id` and `user_id`: whose they are. */
const columnsOf = (owner: Uploader): [string | null, string | null] =>
  'botId' in owner ? [owner.botId, null] : [null, owner.userId];

function refuse(): never {
  throw fileNotUsable();
}

/**
 * Whether every file was made for the conversation that is named, for its channel where that is a
 * thread, or for the thread in which the reply lands (decisions, section 6).
 */
async function belongThere(
  tx: Tx,
  spaceId: string,
  { conversationId, parentMessageId }: NamedFiles,
  files: readonly StoredFile[],
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
