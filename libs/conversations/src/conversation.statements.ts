import { statement } from '@tieline/platform/database';
import { selectionOf } from '@tieline/platform/resource';
import { CONVERSATION } from './conversation.js';

// A thread has the archive state and bots of its channel.
const { archivedAt, botIds, lastMsgIndex, lastChangedAt, ...own } = CONVERSATION;
const ownSelection = selectionOf(own, 'c');
const inherited = selectionOf({ archivedAt, botIds }, 'channel');

/** Columns of a conversation. "channel" is a thread's parent, otherwise the conversation itself. */
export const CONVERSATION_ROW = {
  ...ownSelection.columns,
  ...inherited.columns,
  channelId: 'uuid',
  channelType: 'text',
} as const;

/** Selects {@link CONVERSATION_ROW}; needs the aliases of {@link CONVERSATION_TABLES}. */
export const CONVERSATION_COLUMNS = `${ownSelection.sql},
  ${inherited.sql},
  channel.id AS "channelId",
  channel.type AS "channelType"`;

/**
 * `c` is the conversation. `channel` is its parent for a thread, otherwise the conversation itself.
 */
export const CONVERSATION_TABLES = `conversations c
  JOIN conversations channel ON channel.space_id = c.space_id AND channel.id = coalesce(c.parent_conversation_id, c.id)`;

export const FIND_CONVERSATION = statement(
  'conversations.find',
  `SELECT ${CONVERSATION_COLUMNS} FROM ${CONVERSATION_TABLES} WHERE c.space_id = $1 AND c.id = $2`,
  CONVERSATION_ROW,
);

const { columns: PLACE, sql: placeColumns } = selectionOf(
  { id: own.id, spaceId: own.spaceId, scope: own.scope, rootMessageId: own.rootMessageId },
  'c',
);

/**
 * Those columns of conversations that never change. $1 spaces, $2 ids, in the same order
 */
export const FIND_PLACES = statement(
  'conversations.find_places',
  `SELECT ${placeColumns} FROM unnest($1::uuid[], $2::uuid[]) AS wanted(space_id, id)
     JOIN conversations c ON c.space_id = wanted.space_id AND c.id = wanted.id`,
  PLACE,
);

const FOR_WRITING = 'FOR NO KEY UPDATE OF c FOR KEY SHARE OF channel';

/** Locks a conversation for writing in it. */
export const LOCK_TO_WRITE = statement(
  'conversations.lock_to_write',
  `${FIND_CONVERSATION.text} ${FOR_WRITING}`,
  CONVERSATION_ROW,
);

/**
 * Locks a conversation for a change of its members or state. This also excludes writers in the
 * channel's threads, which hold KEY SHARE on the channel's row. Both aliases of the row are locked,
 * because Postgres rereads only locked aliases after waiting.
 */
export const LOCK_TO_CHANGE = statement(
  'conversations.lock_to_change',
  `${FIND_CONVERSATION.text} FOR UPDATE OF c, channel`,
  CONVERSATION_ROW,
);

/** {@link LOCK_TO_WRITE} for the conversation of a message. */
export const LOCK_BY_MESSAGE = statement(
  'conversations.lock_by_message',
  `SELECT ${CONVERSATION_COLUMNS} FROM messages m JOIN ${CONVERSATION_TABLES} ON c.space_id = m.space_id AND c.id = m.conversation_id
    WHERE m.space_id = $1 AND m.id = $2 ${FOR_WRITING}`,
  CONVERSATION_ROW,
);
