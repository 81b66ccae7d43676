import { nullable, rfc3339, statement } from '@tieline/platform/database';

/** Finds which of these messages are stored: $1 their spaces, $2 their ids. */
export const FIND_POSTED = statement(
  'messages.find_posted',
  `SELECT m.id, m.conversation_id AS "conversationId", m.msg_index AS "msgIndex", ${rfc3339('m.sent_at')} AS "sentAt", m.thread_id AS "threadId"
     FROM unnest($1::uuid[], $2::uuid[]) AS given(space_id, id) JOIN messages m ON m.space_id = given.space_id AND m.id = given.id`,
  { id: 'uuid', conversationId: 'uuid', msgIndex: 'int8', sentAt: 'text', threadId: nullable('uuid') },
);
