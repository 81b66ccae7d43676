import { statement } from '@tieline/platform/database';

/** $1 space, $2 files, $3 bot, $4 conversation of the form */
export const GRANT_FILES = statement(
  'files_grant',
  `INSERT INTO file_grants (space_id, file_id, bot_id, conversation_id) SELECT $1, id, $3, $4 FROM unnest($2::uuid[]) AS f(id)
   ON CONFLICT DO NOTHING`,
  {},
);

/** $1 space, $2 file, $3 bot, $4 conversation of the form or of the file */
export const FIND_GRANT = statement(
  'files_find_grant',
  `SELECT 1 AS n FROM file_grants g JOIN files f ON f.space_id = g.space_id AND f.id = g.file_id
    WHERE g.space_id = $1 AND g.file_id = $2 AND g.bot_id = $3 AND $4::uuid IN (g.conversation_id, f.conversation_id) LIMIT 1`,
  { n: 'int4' },
);

/**
 * Returns those of the given files that are ready and belong to the person. $1 space, $2 person, $3
 * files
 */
export const FIND_READY_OF_PERSON = statement(
  'files_find_ready_of_person',
  `SELECT id FROM files WHERE space_id = $1 AND user_id = $2 AND id = ANY($3::uuid[]) AND status = 'ready'`,
  { id: 'uuid' },
);
