import { nullable, statement, text } from '@tieline/platform/database';
import type { FileStatus } from '../file.entity.js';
import type { FileType } from '../uploads/media-types.js';

const FILE_COLUMNS = `
  f.space_id AS "spaceId",
  f.id,
  f.bot_id AS "botId",
  f.conversation_id AS "conversationId",
  f.file_type AS "fileType",
  f.file_name AS "fileName",
  f.mime_type AS "mimeType",
  f.file_size AS "fileSize",
  f.width,
  f.height,
  f.status,
  f.refused_at AS "refusedAt",
  f.message_id AS "messageId",
  f.created_at AS "createdAt"`;

const FILE = {
  spaceId: 'uuid',
  id: 'uuid',
  botId: nullable('uuid'),
  conversationId: nullable('uuid'),
  fileType: text<FileType>(),
  fileName: 'text',
  mimeType: 'text',
  fileSize: 'int8',
  width: 'int4',
  height: 'int4',
  status: text<FileStatus>(),
  refusedAt: nullable('timestamptz'),
  messageId: nullable('uuid'),
  createdAt: 'timestamptz',
} as const;

/**
 * Locks files of a bot or a person, ordered by id, so that two messages with the same files never
 * deadlock.
 */
export const LOCK_FILES = statement(
  'files.lock_files',
  `SELECT ${FILE_COLUMNS}
   FROM files f
   WHERE f.space_id = $1 AND coalesce(f.bot_id, f.user_id) = $2 AND f.id = ANY($3::uuid[])
   ORDER BY f.id
   FOR UPDATE`,
  FILE,
);

/** The files of messages, in the order in which they were attached. */
export const FILES_OF_MESSAGES = statement(
  'files.list_of_messages',
  `SELECT ${FILE_COLUMNS}
   FROM files f
   WHERE f.space_id = $1 AND f.message_id = ANY($2::uuid[])
   ORDER BY f.message_id, f.position`,
  FILE,
);

/**
 * Attaches files to a message in the given order, and stores their attachment status. Files of no
 * conversation become files of this one.
 */
export const ATTACH_FILES = statement(
  'files.attach_files',
  {
    params: {
      spaceId: 'uuid',
      messageId: 'uuid',
      conversationId: 'uuid',
      fileIds: 'uuid[]',
      botId: nullable('uuid'),
      userId: nullable('uuid'),
      status: text<'pending' | 'attached'>(),
    },
    columns: {},
  },
  `
  WITH bound AS (
    UPDATE files f
    SET
      message_id = :messageId,
      conversation_id = coalesce(f.conversation_id, :conversationId),
      position = w.n
    FROM unnest(:fileIds::uuid[]) WITH ORDINALITY AS w (id, n)
    WHERE f.space_id = :spaceId AND f.id = w.id
  )
  INSERT INTO message_attachments (
    space_id,
    message_id,
    bot_id,
    user_id,
    status,
    check_at
  )
  VALUES (
    :spaceId,
    :messageId,
    :botId,
    :userId,
    :status::text,
    CASE WHEN :status = 'pending' THEN clock_timestamp() + interval '5 seconds' END
  )
  `,
);

/** The attachment status of those messages that were sent with files. */
export const ATTACHMENTS_OF_MESSAGES = statement(
  'message_attachments.list_of_messages',
  'SELECT message_id AS "messageId", status FROM message_attachments WHERE space_id = $1 AND message_id = ANY($2::uuid[])',
  { messageId: 'uuid', status: text<'pending' | 'attached' | 'failed'>() },
);

/** Deletes a message's attachment status. Returns a row if it had one. */
export const DELETE_ATTACHMENTS = statement(
  'message_attachments.delete_of_message',
  'DELETE FROM message_attachments WHERE space_id = $1 AND message_id = $2 RETURNING message_id AS "messageId"',
  { messageId: 'uuid' },
);

/**
 * Claims up to this many pending messages that are due. Messages of a dead worker are claimed again
 * after the lease.
 */
export const CLAIM_PENDING = statement(
  'message_attachments.claim_pending',
  `WITH due AS MATERIALIZED (
     SELECT space_id, message_id FROM message_attachments WHERE status = 'pending' AND check_at <= statement_timestamp()
      ORDER BY check_at LIMIT $1 FOR UPDATE SKIP LOCKED
   )
   UPDATE message_attachments a SET attempts = a.attempts + 1, check_at = clock_timestamp() + interval '2 minutes' FROM due
    WHERE a.space_id = due.space_id AND a.message_id = due.message_id
   RETURNING a.space_id AS "spaceId", a.message_id AS "messageId", a.created_at < clock_timestamp() - interval '24 hours' AS "isOverdue"`,
  { spaceId: 'uuid', messageId: 'uuid', isOverdue: 'bool' },
);

/** Whether a pending message is due. */
export const PENDING_ARE_DUE = statement(
  'message_attachments.check_due',
  `SELECT EXISTS (
     SELECT 1 FROM message_attachments WHERE status = 'pending' AND check_at <= statement_timestamp()
   ) AS due`,
  { due: 'bool' },
);

/** Postpones the next check of pending messages by 5 seconds to 5 minutes. */
export const CHECK_AGAIN = statement(
  'message_attachments.postpone_check',
  `UPDATE message_attachments SET check_at = clock_timestamp() + least(interval '5 seconds' * 2 ^ least(attempts - 1, 10), interval '5 minutes')
    WHERE status = 'pending' AND (space_id, message_id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))`,
  {},
);

/** Settles a pending message. Returns no row if it is already settled or deleted. */
export const SETTLE_PENDING = statement(
  'message_attachments.settle_pending',
  `UPDATE message_attachments SET status = $3, check_at = NULL WHERE space_id = $1 AND message_id = $2 AND status = 'pending'
   RETURNING bot_id AS "botId", user_id AS "userId"`,
  { botId: nullable('uuid'), userId: nullable('uuid') },
);
