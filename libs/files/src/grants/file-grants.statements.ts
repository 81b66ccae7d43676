import { statement } from '@tieline/platform/database';

export const GRANT_FILES = statement(
  'file_grants.grant_files',
  {
    params: {
      spaceId: 'uuid',
      fileIds: 'uuid[]',
      botId: 'uuid',
      /** The conversation of the form. */
      conversationId: 'uuid',
    },
    columns: {},
  },
  `
  INSERT INTO file_grants (
    space_id,
    file_id,
    bot_id,
    conversation_id
  )
  SELECT
    :spaceId,
    id,
    :botId,
    :conversationId
  FROM unnest(:fileIds::uuid[]) AS f (id)
  ON CONFLICT DO NOTHING
  `,
);

export const FIND_GRANT = statement(
  'file_grants.find_grant',
  {
    params: {
      spaceId: 'uuid',
      fileId: 'uuid',
      botId: 'uuid',
      /** The conversation of the form or of the file. */
      conversationId: 'uuid',
    },
    columns: { n: 'int4' },
  },
  `
  SELECT 1 AS n
  FROM file_grants g
  JOIN files f ON f.space_id = g.space_id AND f.id = g.file_id
  WHERE g.space_id = :spaceId
    AND g.file_id = :fileId
    AND g.bot_id = :botId
    AND :conversationId::uuid IN (g.conversation_id, f.conversation_id)
  LIMIT 1
  `,
);

/**
 * Returns those of the given files that are ready and belong to the person. $1 space, $2 person, $3
 * files
 */
export const FIND_READY_OF_PERSON = statement(
  'files.find_ready_of_person',
  `SELECT id FROM files WHERE space_id = $1 AND user_id = $2 AND id = ANY($3::uuid[]) AND status = 'ready'`,
  { id: 'uuid' },
);
