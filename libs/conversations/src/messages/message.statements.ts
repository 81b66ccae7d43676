import { rfc3339, statement } from '@tieline/platform/database';
import type { UncheckedStatement } from '@tieline/platform/database';

/*
 * Posting a message is one statement. It locks and counts up the conversation's row under the access conditions, inserts
 * the message, and appends MESSAGE_CREATED to the outbox while the lock is held. The event's JSON comes in pieces: what the
 * caller knows beforehand, with the msg_index, the time and the conversation's facts put between.
 *
 * Order of evaluation matters: a statement that had to wait for the row evaluates conditions, index and time again on the
 * row's newest version, so time and index grow together, and bot_ids are those of the commit. (So whatever happens in a
 * conversation must change its row, not only lock it.) Other tables (people's membership) are read as of the statement's start.
 *
 * $1 space, $2 conversation, $3 author, $4 author type, $5 access without membership, $6 message, $7 text, $8 mentions,
 * $9 thread root of a reply, $10 metadata, $11 display name, $12 display avatar, $13 event,
 * $14 head of the event, $15 head of data, $16 its optional fields, $17 the message view: JSON texts without closing brace.
 * Answers no row when anything forbids the message.
 */

const NEXT = `last_msg_index = c.last_msg_index + 1, last_changed_at = greatest(clock_timestamp(), c.last_changed_at + interval '1 microsecond')`;

// A scalar look at one row by its key: EXISTS may be planned as a hash of all that a person is a member of.
const allowed = (
  channel: string,
): string => `${channel}.archived_at IS NULL AND ($5::boolean OR CASE $4::text WHEN 'bot' THEN $3::uuid = ANY (${channel}.bot_ids)
  ELSE (SELECT true FROM conversation_members m WHERE m.space_id = $1 AND m.conversation_id = ${channel}.id AND m.member_id = $3 AND m.member_type = $4) END)`;

// The same fields in the same order as conversationFacts in conversation.view.ts; types and subtypes need no escaping (CHECK).
/** The JSON fields of a conversation `c` that is no thread. */
export const CONVERSATION_FACTS = `'"type":"' || c.type || '","scope":"' || c.scope || '"' || coalesce(',"subtype":"' || c.subtype || '"', '')
  || ',"is_direct":' || (c.scope = 'dm') || ',"is_public":' || (c.scope = 'public')`;
const THREAD_FACTS = `${CONVERSATION_FACTS} || ',"parent_conversation_id":"' || channel.id || '","parent_conversation_type":"' || channel.type || '","parent_is_public":' || (channel.scope = 'public')`;

const COUNTED = `',"msg_index":' || c.last_msg_index || ',"sent_at":"' || ${rfc3339('c.last_changed_at')} || '"' AS counted,
  c.last_msg_index AS msg_index, c.last_changed_at AS sent_at, ${rfc3339('c.last_changed_at')} AS at`;

const INSERTS = `, message AS (
  INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, mentions, thread_id, metadata_json, display_name, display_avatar_url, sent_at)
  SELECT $1, $6::uuid, $2, msg_index, $3, $4, $7::text, $8::uuid[], $9::uuid, $10::text, $11::text, $12::text, sent_at FROM posted
), event AS (
  INSERT INTO outbox (event_id, space_id, type, payload)
  SELECT $13::uuid, $1, 'MESSAGE_CREATED',
    $14::text || ',"occurred_at":"' || at || '","conversation":{"id":"' || $2 || '",' || facts || place || bots
    || ',"data":' || $15::text || counted || $16::text || ',"conversation_context":{"conversation_id":"' || $2 || '",' || facts || '}}'
    || ',"message":' || $17::text || counted || '}}'
  FROM posted
)
SELECT msg_index AS "msgIndex", at AS "sentAt" FROM posted`;

const bots = (channel: string): string =>
  `',"bot_ids":' || CASE ${channel}.scope WHEN 'public' THEN '[]' ELSE array_to_json(${channel}.bot_ids)::text END AS bots`;

/** Posts into a channel, voice chat or direct chat. */
export const POST_TO_CHANNEL: UncheckedStatement = statement(
  'conversations.post-to-channel',
  `WITH posted AS (
  UPDATE conversations c SET ${NEXT}
   WHERE c.space_id = $1::uuid AND c.id = $2::uuid AND c.root_message_id IS NULL AND ${allowed('c')}
  RETURNING ${COUNTED}, ${CONVERSATION_FACTS} AS facts, '},"channel_id":"' || c.id || '","thread_id":""' AS place, ${bots('c')}
)${INSERTS}`,
);

/**
 * Posts into a thread: access is the channel's, whose row is locked against changes of members and state, not against
 * messages.
 */
export const POST_TO_THREAD: UncheckedStatement = statement(
  'conversations.post-to-thread',
  `WITH channel AS MATERIALIZED (
  SELECT p.id, p.type, p.scope, p.bot_ids, p.archived_at FROM conversations t
    JOIN conversations p ON p.space_id = t.space_id AND p.id = t.parent_conversation_id
   WHERE t.space_id = $1::uuid AND t.id = $2::uuid FOR KEY SHARE OF p
), posted AS (
  UPDATE conversations c SET ${NEXT} FROM channel
   WHERE c.space_id = $1 AND c.id = $2 AND c.root_message_id IS NOT NULL AND ${allowed('channel')}
  RETURNING ${COUNTED}, ${THREAD_FACTS} AS facts,
    ',"root_message_id":"' || c.root_message_id || '"},"channel_id":"' || channel.id || '","thread_id":"' || c.root_message_id || '"' AS place, ${bots('channel')}
)${INSERTS}`,
);
