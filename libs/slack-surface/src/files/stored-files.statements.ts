import { nullable, statement } from '@tieline/platform/database';
import type { RowOf } from '@tieline/platform/database';

const COLUMNS = `
  id,
  bot_id AS "botId",
  user_id AS "userId",
  conversation_id AS "conversationId",
  message_id AS "messageId",
  file_name AS "fileName",
  mime_type AS "mimeType",
  file_size AS "fileSize",
  width,
  height,
  status,
  created_at AS "createdAt"`;

const FILE = {
  id: 'uuid',
  botId: nullable('uuid'),
  userId: nullable('uuid'),
  conversationId: nullable('uuid'),
  messageId: nullable('uuid'),
  fileName: 'text',
  mimeType: 'text',
  fileSize: 'int8',
  width: 'int4',
  height: 'int4',
  status: 'text',
  createdAt: 'timestamptz',
} as const;

/** A file of a bot or a person. Uploads of bots belong to no conversation until they are sent. */
export type StoredFileRow = RowOf<typeof FIND_STORED_FILE>;

/** The caller checks access. $1 space, $2 file */
export const FIND_STORED_FILE = statement(
  'files.find_for_slack',
  `SELECT ${COLUMNS} FROM files WHERE space_id = $1 AND id = $2`,
  FILE,
);

/**
 * Lists ready files of a bot, and with `isReadable` those of people in the conversation, newest
 * first. Looks at the last `window` files of the space, because files have no index by author.
 */
export const LIST_STORED_FILES = statement(
  'files.list_for_slack',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      conversationId: nullable('uuid'),
      isReadable: 'bool',
      author: nullable('uuid'),
      since: nullable('timestamptz'),
      until: nullable('timestamptz'),
      window: 'int8',
      offset: 'int8',
      limit: 'int8',
    },
    columns: { ...FILE, total: 'int4' },
  },
  `
  WITH latest AS MATERIALIZED (
    SELECT *
    FROM files
    WHERE space_id = :spaceId
    ORDER BY id DESC
    LIMIT :window
  )
  SELECT ${COLUMNS},
    (count(*) OVER ())::int4 AS total
  FROM latest
  WHERE status = 'ready'
    AND (:conversationId::uuid IS NULL OR conversation_id = :conversationId)
    AND (
      bot_id = :botId
      OR (:isReadable::boolean AND user_id IS NOT NULL AND message_id IS NOT NULL)
    )
    AND (:author::uuid IS NULL OR coalesce(bot_id, user_id) = :author)
    AND created_at >= coalesce(:since::timestamptz, '-infinity')
    AND created_at <= coalesce(:until::timestamptz, 'infinity')
  ORDER BY id DESC
  OFFSET :offset
  LIMIT :limit
  `,
);
