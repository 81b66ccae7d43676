import { nullable, rfc3339, statement } from '@tieline/platform/database';

/** `ttlSeconds`: lifetime of the tokens. */
export const INSERT_EPHEMERAL = statement(
  'ephemeral_messages.insert',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      conversationId: 'uuid',
      botId: 'uuid',
      userId: 'uuid',
      text: 'text',
      metadataJson: nullable('text'),
      sourceJson: nullable('text'),
      ttlSeconds: 'float8',
    },
    columns: {},
  },
  `
  INSERT INTO ephemeral_messages (
    space_id,
    id,
    conversation_id,
    bot_id,
    user_id,
    text,
    metadata_json,
    source_json,
    expires_at
  )
  VALUES (
    :spaceId,
    :id,
    :conversationId,
    :botId,
    :userId,
    :text,
    :metadataJson,
    :sourceJson,
    clock_timestamp() + :ttlSeconds::float8 * interval '1 second'
  )
  `,
);

/** $1 space, $2 id, $3 person */
export const FIND_EPHEMERAL = statement(
  'ephemeral_messages.find',
  `SELECT conversation_id AS "conversationId", bot_id AS "botId", text, metadata_json AS "metadataJson",
          source_json AS "sourceJson", ${rfc3339('sent_at')} AS "sentAt"
     FROM ephemeral_messages WHERE space_id = $1 AND id = $2 AND user_id = $3`,
  {
    conversationId: 'uuid',
    botId: 'uuid',
    text: 'text',
    metadataJson: nullable('text'),
    sourceJson: nullable('text'),
    sentAt: 'text',
  },
);

const RETURNED =
  'RETURNING conversation_id AS "conversationId", user_id AS "userId", text, metadata_json AS "metadataJson", source_json AS "sourceJson"';
const EPHEMERAL_COLUMNS = {
  conversationId: 'uuid',
  userId: 'uuid',
  text: 'text',
  metadataJson: nullable('text'),
  sourceJson: nullable('text'),
} as const;

/** Locks the row until the end of the transaction. $1 space, $2 id, $3 bot */
export const LOCK_EPHEMERAL = statement(
  'ephemeral_messages.lock',
  'SELECT metadata_json AS "metadataJson" FROM ephemeral_messages WHERE space_id = $1 AND id = $2 AND bot_id = $3 FOR UPDATE',
  { metadataJson: nullable('text') },
);

/** A null `text` stays unchanged. `ttlSeconds`: lifetime of the tokens of new metadata. */
export const UPDATE_EPHEMERAL = statement(
  'ephemeral_messages.update',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      botId: 'uuid',
      text: nullable('text'),
      hasMetadata: 'bool',
      metadataJson: nullable('text'),
      sourceJson: nullable('text'),
      ttlSeconds: 'float8',
    },
    columns: EPHEMERAL_COLUMNS,
  },
  `
  UPDATE ephemeral_messages
  SET
    text = coalesce(:text::text, text),
    metadata_json = CASE WHEN :hasMetadata::boolean THEN :metadataJson::text ELSE metadata_json END,
    source_json = CASE WHEN :text::text IS NULL THEN source_json ELSE :sourceJson::text END,
    expires_at = CASE
      WHEN :hasMetadata THEN clock_timestamp() + :ttlSeconds::float8 * interval '1 second'
      ELSE expires_at
    END
  WHERE space_id = :spaceId AND id = :id AND bot_id = :botId
  ${RETURNED}
  `,
);

/** $1 space, $2 id, $3 bot */
export const DELETE_EPHEMERAL = statement(
  'ephemeral_messages.delete',
  `DELETE FROM ephemeral_messages WHERE space_id = $1 AND id = $2 AND bot_id = $3 ${RETURNED}`,
  EPHEMERAL_COLUMNS,
);
