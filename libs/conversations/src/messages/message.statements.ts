import { rfc3339, statement } from '@tieline/platform/database';

/*
 * Posts a message in one statement. It locks and updates the conversation's row under the access
 * conditions, inserts the message, and writes the posted message to the outbox while it holds the
 * lock. `messageCreated` builds the event from it.
 *
 * The order of evaluation matters. A statement that waited for the row evaluates conditions, index
 * and time again on the row's latest version, so time and index grow together and bot_ids are those
 * at commit. Every write in a conversation must therefore change its row, not only lock it. Other
 * tables (the membership of people) are read as of the statement's start.
 *
 * $1 space, $2 conversation, $3 author, $4 author type, $5 access without membership, $6 message,
 * $7 text, $8 mentions, $9 thread root of a reply, $10 metadata, $11 display name, $12 display
 * avatar, $13 event, $14 notice and $15 files as JSON, $16 trace, $17 whether the text is derived.
 * Returns no row if the message is not allowed.
 */

const NEXT = `last_msg_index = c.last_msg_index + 1, last_changed_at = greatest(clock_timestamp(), c.last_changed_at + interval '1 microsecond')`;

// A scalar subquery by primary key. Postgres may plan EXISTS as a hash of all memberships of a
// person.
const allowed = (
  channel: string,
): string => `${channel}.archived_at IS NULL AND ($5::boolean OR CASE $4::text WHEN 'bot' THEN $3::uuid = ANY (${channel}.bot_ids)
  ELSE (SELECT true FROM conversation_members m WHERE m.space_id = $1 AND m.conversation_id = ${channel}.id AND m.member_id = $3 AND m.member_type = $4) END)`;

const facts = (channel: string): string =>
  `'id', c.id, 'type', c.type, 'subtype', c.subtype, 'scope', c.scope, 'botIds', CASE ${channel}.scope WHEN 'public' THEN NULL ELSE ${channel}.bot_ids END`;

/**
 * A conversation `c` that is not a thread, in the shape of `PostedMessage` in message-created.ts.
 */
export const POSTED_IN_CHANNEL = `json_build_object(${facts('c')})`;
const POSTED_IN_THREAD = `json_build_object(${facts('channel')}, 'rootMessageId', c.root_message_id, 'channelId', channel.id, 'channelType', channel.type)`;

const COUNTED = `c.last_msg_index AS msg_index, c.last_changed_at AS sent_at, ${rfc3339('c.last_changed_at')} AS at`;

const INSERTS = `, message AS (
  INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, mentions, thread_id, metadata_json, display_name, display_avatar_url, text_derived, sent_at)
  SELECT $1, $6::uuid, $2, msg_index, $3, $4, $7::text, $8::uuid[], $9::uuid, $10::text, $11::text, $12::text, $17::boolean, sent_at FROM posted
), event AS (
  INSERT INTO outbox (event_id, space_id, type, payload, traceparent)
  SELECT $13::uuid, $1, 'MESSAGE_CREATED', json_build_object('posted', json_build_object('id', $6, 'authorId', $3, 'authorType', $4, 'text', $7, 'mentions', $8,
    'threadId', $9, 'metadataJson', $10, 'displayName', $11, 'displayAvatarUrl', $12, 'textDerived', $17::boolean, 'notify', $14::json, 'attachments', $15::json,
    'msgIndex', msg_index, 'sentAt', at, 'conversation', place))::text, $16::text
  FROM posted
)
SELECT msg_index AS "msgIndex", at AS "sentAt" FROM posted`;

const POSTED = { msgIndex: 'int8', sentAt: 'text' } as const;

/** Posts to a channel, voice chat or direct chat. */
export const POST_TO_CHANNEL = statement(
  'conversations.post-to-channel',
  `WITH posted AS (
  UPDATE conversations c SET ${NEXT}
   WHERE c.space_id = $1::uuid AND c.id = $2::uuid AND c.root_message_id IS NULL AND ${allowed('c')}
  RETURNING ${COUNTED}, ${POSTED_IN_CHANNEL} AS place
)${INSERTS}`,
  POSTED,
);

/**
 * Posts to a thread. Access is that of the channel, whose row is locked against changes of members
 * and state, but not against messages.
 */
export const POST_TO_THREAD = statement(
  'conversations.post-to-thread',
  `WITH channel AS MATERIALIZED (
  SELECT p.id, p.type, p.scope, p.bot_ids, p.archived_at FROM conversations t
    JOIN conversations p ON p.space_id = t.space_id AND p.id = t.parent_conversation_id
   WHERE t.space_id = $1::uuid AND t.id = $2::uuid FOR KEY SHARE OF p
), posted AS (
  UPDATE conversations c SET ${NEXT} FROM channel
   WHERE c.space_id = $1 AND c.id = $2 AND c.root_message_id IS NOT NULL AND ${allowed('channel')}
  RETURNING ${COUNTED}, ${POSTED_IN_THREAD} AS place
)${INSERTS}`,
  POSTED,
);
