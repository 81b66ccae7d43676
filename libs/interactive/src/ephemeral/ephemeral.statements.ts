import { nullable, rfc3339, statement } from '@tieline/platform/database';

/**
 * $1 space, $2 id, $3 conversation, $4 bot, $5 person, $6 text, $7 metadata, $8 token lifetime in
 * seconds
 */
export const INSERT_EPHEMERAL = statement(
  'interactive.keep_ephemeral',
  `INSERT INTO ephemeral_messages (space_id, id, conversation_id, bot_id, user_id, text, metadata_json, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + $8::float8 * interval '1 second')`,
  {},
);

/** $1 space, $2 id, $3 person */
export const FIND_EPHEMERAL = statement(
  'interactive.find_ephemeral',
  `SELECT conversation_id AS "conversationId", bot_id AS "botId", text, metadata_json AS "metadataJson", ${rfc3339('sent_at')} AS "sentAt"
     FROM ephemeral_messages WHERE space_id = $1 AND id = $2 AND user_id = $3`,
  {
    conversationId: 'uuid',
    botId: 'uuid',
    text: 'text',
    metadataJson: nullable('text'),
    sentAt: 'text',
  },
);

const RETURNED =
  'RETURNING conversation_id AS "conversationId", user_id AS "userId", text, metadata_json AS "metadataJson"';
const EPHEMERAL_COLUMNS = {
  conversationId: 'uuid',
  userId: 'uuid',
  text: 'text',
  metadataJson: nullable('text'),
} as const;

/** Locks the row until the end of the transaction. $1 space, $2 id, $3 bot */
export const LOCK_EPHEMERAL = statement(
  'interactive.lock_ephemeral',
  'SELECT metadata_json AS "metadataJson" FROM ephemeral_messages WHERE space_id = $1 AND id = $2 AND bot_id = $3 FOR UPDATE',
  { metadataJson: nullable('text') },
);

/**
 * $1 space, $2 id, $3 bot, $4 text or null, $5 whether the metadata changes, $6 metadata, $7 token
 * lifetime in seconds
 */
export const UPDATE_EPHEMERAL = statement(
  'interactive.change_ephemeral',
  `UPDATE ephemeral_messages SET text = coalesce($4::text, text), metadata_json = CASE WHEN $5::boolean THEN $6::text ELSE metadata_json END,
          expires_at = CASE WHEN $5 THEN clock_timestamp() + $7::float8 * interval '1 second' ELSE expires_at END
    WHERE space_id = $1 AND id = $2 AND bot_id = $3
   ${RETURNED}`,
  EPHEMERAL_COLUMNS,
);

/** $1 space, $2 id, $3 bot */
export const DELETE_EPHEMERAL = statement(
  'interactive.drop_ephemeral',
  `DELETE FROM ephemeral_messages WHERE space_id = $1 AND id = $2 AND bot_id = $3 ${RETURNED}`,
  EPHEMERAL_COLUMNS,
);
