import type { Queryable } from '@tieline/platform/database';
import type { FileType } from './uploads/media-types.js';

/** A file's row. */
export interface StoredFile {
  spaceId: string;
  id: string;
  botId: string;
  conversationId: string;
  fileType: FileType;
  fileName: string;
  /** Lower case, without parameters. */
  mimeType: string;
  /** Bytes, as declared. */
  fileSize: number;
  width: number;
  height: number;
  status: 'uploading' | 'ready';
  /** Other bytes than declared came: it never becomes ready. */
  refusedAt: Date | null;
  messageId: string | null;
  createdAt: Date;
}

/** Which bot's files are meant. A `BotPrincipal` is one. */
export interface FileOwner {
  spaceId: string;
  botId: string;
}

/** Columns of {@link StoredFile}; the table's alias is `f`. */
export const FILE_COLUMNS = `f.space_id AS "spaceId", f.id, f.bot_id AS "botId", f.conversation_id AS "conversationId", f.file_type AS "fileType",
  f.file_name AS "fileName", f.mime_type AS "mimeType", f.file_size AS "fileSize", f.width, f.height, f.status, f.refused_at AS "refusedAt",
  f.message_id AS "messageId", f.created_at AS "createdAt"`;

/** Where a file's bytes are in the store. */
export function storageKey({ spaceId, id }: { spaceId: string; id: string }): string {
  return `${spaceId}/${id}`;
}

/** A file of the bot that was made for that very conversation. */
export async function findOwnFile(
  q: Queryable,
  { spaceId, botId }: FileOwner,
  fileId: string,
  conversationId: string,
): Promise<StoredFile | undefined> {
  const [file] = await q.query<StoredFile>(
    `SELECT ${FILE_COLUMNS} FROM files f WHERE f.space_id = $1 AND f.id = $2 AND f.bot_id = $3 AND f.conversation_id = $4`,
    [spaceId, fileId, botId, conversationId],
  );
  return file;
}

/** A file of the space that is shown with a message. */
export async function findAttachedFile(
  q: Queryable,
  spaceId: string,
  fileId: string,
): Promise<StoredFile | undefined> {
  const [file] = await q.query<StoredFile>(
    `SELECT ${FILE_COLUMNS} FROM files f WHERE f.space_id = $1 AND f.id = $2 AND f.message_id IS NOT NULL`,
    [spaceId, fileId],
  );
  return file;
}

/** Which of these files the bot could attach to something now. */
export async function findAttachable(
  q: Queryable,
  { spaceId, botId }: FileOwner,
  fileIds: readonly string[],
): Promise<StoredFile[]> {
  return q.query<StoredFile>(
    `SELECT ${FILE_COLUMNS} FROM files f WHERE f.space_id = $1 AND f.bot_id = $2 AND f.id = ANY($3::uuid[]) AND f.status = 'ready' AND f.message_id IS NULL`,
    [spaceId, botId, fileIds],
  );
}

/** The files of these messages, in the order in which they were given. */
export async function filesOfMessages(
  q: Queryable,
  spaceId: string,
  messageIds: readonly string[],
): Promise<StoredFile[]> {
  return q.query<StoredFile>(
    `SELECT ${FILE_COLUMNS} FROM files f WHERE f.space_id = $1 AND f.message_id = ANY($2::uuid[]) ORDER BY f.message_id, f.position`,
    [spaceId, messageIds],
  );
}
