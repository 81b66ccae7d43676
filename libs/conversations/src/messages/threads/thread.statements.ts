import { nullable, rfc3339, statement } from '@tieline/platform/database';

/** Finds where a message is stored, and its thread. */
export const FIND_PARENT = statement(
  'conversations.find_parent',
  `SELECT m.id AS "messageId", m.conversation_id AS "conversationId", c.root_message_id AS "rootMessageId",
          c.parent_conversation_id AS "parentConversationId", thread.id AS "ownThreadId"
     FROM messages m JOIN conversations c ON c.space_id = m.space_id AND c.id = m.conversation_id
     LEFT JOIN conversations thread ON thread.space_id = m.space_id AND thread.root_message_id = m.id
    WHERE m.space_id = $1 AND m.id = $2`,
  {
    messageId: 'uuid',
    conversationId: 'uuid',
    /** Root message of the conversation that the message is in; null unless that is a thread. */
    rootMessageId: nullable('uuid'),
    /** Channel of the thread that the message is in. */
    parentConversationId: nullable('uuid'),
    /** The thread that replies to the message are stored in. */
    ownThreadId: nullable('uuid'),
  },
);

/**
 * Returns no row if the message already has a thread. Waits for a concurrent transaction that is
 * creating it.
 */
export const INSERT_THREAD = statement(
  'conversations.insert_thread',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      scope: 'text',
      channelId: 'uuid',
      rootMessageId: 'uuid',
      createdBy: 'uuid',
    },
    columns: { id: 'uuid' },
  },
  `
  INSERT INTO conversations (
    space_id,
    id,
    type,
    scope,
    parent_conversation_id,
    root_message_id,
    created_by
  )
  VALUES (:spaceId, :id, 'thread', :scope, :channelId, :rootMessageId, :createdBy)
  ON CONFLICT (space_id, root_message_id) WHERE root_message_id IS NOT NULL DO NOTHING
  RETURNING id
  `,
);

/**
 * Reads titles and reply counts of messages from indexes alone; a thread's row stores its number of
 * replies, which is 0 if a bot gave it a title before the first one. $1 space, $2 root messages
 */
export const THREADS_OF_MESSAGES = statement(
  'messages.read_threads',
  `SELECT c.root_message_id AS "rootMessageId", c.title, c.last_msg_index AS count, ${rfc3339('m.sent_at')} AS "lastAt"
     FROM conversations c LEFT JOIN messages m ON m.space_id = c.space_id AND m.conversation_id = c.id AND m.msg_index = c.last_msg_index
    WHERE c.space_id = $1 AND c.root_message_id = ANY($2::uuid[])`,
  { rootMessageId: 'uuid', title: nullable('text'), count: 'int8', lastAt: nullable('text') },
);

/** Returns no row if the thread already has this title. $1 space, $2 thread, $3 title */
export const SET_TITLE = statement(
  'conversations.set_title',
  `UPDATE conversations SET title = $3
    WHERE space_id = $1 AND id = $2 AND title IS DISTINCT FROM $3
    RETURNING id`,
  { id: 'uuid' },
);

export const FIND_THREAD = statement(
  'conversations.find_thread',
  'SELECT id FROM conversations WHERE space_id = $1 AND root_message_id = $2',
  { id: 'uuid' },
);
