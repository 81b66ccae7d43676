import { nullable, statement } from '@tieline/platform/database';

/**
 * The messages of a channel, direct chat or its threads that were sent at a moment: usually one. $1
 * space, $2 conversation, $3 moment
 *
 * The first step reads only the index of times, which has no space.
 */
export const FIND_MESSAGES_AT = statement(
  'messages.find_at',
  `WITH at AS MATERIALIZED (
     SELECT space_id, id, conversation_id FROM messages WHERE sent_at = $3::timestamptz
   )
   SELECT m.id, m.conversation_id AS "conversationId", c.root_message_id AS "rootMessageId"
   FROM at m
   JOIN conversations c ON c.space_id = m.space_id AND c.id = m.conversation_id
   WHERE m.space_id = $1::uuid AND $2::uuid IN (c.id, c.parent_conversation_id)
   ORDER BY c.root_message_id NULLS FIRST`,
  { id: 'uuid', conversationId: 'uuid', rootMessageId: nullable('uuid') },
);

/** The index of the last message until a moment. $1 space, $2 conversation, $3 moment */
export const FIND_LAST_INDEX_UNTIL = statement(
  'messages.find_last_index_until',
  `SELECT last_msg_index_until($1::uuid, $2::uuid, $3::timestamptz) AS "msgIndex"`,
  { msgIndex: 'int8' },
);

/** What other products sent, of these messages. $1 space, $2 messages */
export const FIND_SOURCES = statement(
  'messages.find_sources',
  `SELECT id, source_json AS "sourceJson" FROM messages
   WHERE space_id = $1 AND id = ANY($2::uuid[]) AND source_json IS NOT NULL`,
  { id: 'uuid', sourceJson: 'text' },
);
