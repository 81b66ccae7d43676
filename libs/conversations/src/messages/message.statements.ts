import { nullable, rfc3339, statement } from '@tieline/platform/database';

/*
 * Posts a message in one statement. It locks and updates the conversation's row under the access
 * conditions, inserts the message, and writes the posted message to the outbox while it holds the
 * lock. `messageCreated` builds the event from it. Returns no row if the message is not allowed.
 *
 * The order of evaluation matters. A statement that waited for the row evaluates conditions, index
 * and time again on the row's latest version, so time and index grow together and bot_ids are those
 * at commit. Every write in a conversation must therefore change its row, not only lock it. Other
 * tables (the membership of people) are read as of the statement's start.
 */

const NEXT = `
    last_msg_index = c.last_msg_index + 1,
    last_changed_at = greatest(clock_timestamp(), c.last_changed_at + interval '1 microsecond')`;

// A scalar subquery by primary key. Postgres may plan EXISTS as a hash of all memberships of a
// person.
const allowed = (channel: string): string => `${channel}.archived_at IS NULL
    AND (:isGranted::boolean OR CASE :authorType::text
      WHEN 'bot' THEN :authorId::uuid = ANY (${channel}.bot_ids)
      ELSE (
        SELECT true
        FROM conversation_members m
        WHERE m.space_id = :spaceId AND m.conversation_id = ${channel}.id
          AND m.member_id = :authorId AND m.member_type = :authorType
      ) END)`;

const facts = (channel: string): string => `
      'id', c.id,
      'type', c.type,
      'subtype', c.subtype,
      'scope', c.scope,
      'botIds', CASE ${channel}.scope WHEN 'public' THEN NULL ELSE ${channel}.bot_ids END`;

/**
 * A conversation `c` that is not a thread, in the shape of `PostedMessage` in posted-message.ts.
 */
export const POSTED_IN_CHANNEL = `json_build_object(${facts('c')}
    )`;
const POSTED_IN_THREAD = `json_build_object(${facts('channel')},
      'rootMessageId', c.root_message_id,
      'channelId', channel.id,
      'channelType', channel.type
    )`;

/** SQL of a source if streams show a part of it: its blocks. */
export const shownSource = (source: string): string =>
  `CASE WHEN position('"blocks":' IN ${source}) > 0 THEN ${source} END`;

/**
 * SQL of the payload of a posted message in the outbox, in the shape of `PostedMessage` in
 * posted-message.ts. Omits null fields and white space, because each payload is written to the
 * WAL. `jsons` are fields whose SQL is the text of a JSON value, which is stored unchanged.
 */
export function postedPayload(fields: string, jsons: Record<string, string>): string {
  const added = Object.entries(jsons).map(([name, sql]) => `',"${name}":' || ${sql},`);
  return `concat(
      '{"posted":',
      left(json_strip_nulls(json_build_object(${fields}
      ))::text, -1),
      ${added.join('\n      ')}
      '}}'
    )`;
}

const COUNTED = `
    c.last_msg_index AS msg_index,
    c.last_changed_at AS sent_at,
    ${rfc3339('c.last_changed_at')} AS at`;

const INSERTS = `, message AS (
  INSERT INTO messages (
    space_id,
    id,
    conversation_id,
    msg_index,
    author_id,
    author_type,
    text,
    mentions,
    thread_id,
    metadata_json,
    display_name,
    display_avatar_url,
    text_derived,
    source_json,
    sent_at
  )
  SELECT
    :spaceId,
    :messageId::uuid,
    :conversationId,
    msg_index,
    :authorId,
    :authorType,
    :text::text,
    :mentions::uuid[],
    :threadId::uuid,
    :metadataJson::text,
    :displayName::text,
    :displayAvatarUrl::text,
    :textDerived::boolean,
    :sourceJson::text,
    sent_at
  FROM posted
), event AS (
  INSERT INTO outbox (event_id, space_id, type, payload, traceparent)
  SELECT
    :eventId::uuid,
    :spaceId,
    'MESSAGE_CREATED',
    ${postedPayload(
      `
      'id', :messageId,
      'authorId', :authorId,
      'authorType', :authorType,
      'text', :text,
      'mentions', :mentions,
      'threadId', :threadId,
      'metadataJson', :metadataJson,
      'displayName', :displayName,
      'displayAvatarUrl', :displayAvatarUrl,
      'textDerived', :textDerived::boolean,
      'sourceJson', ${shownSource(':sourceJson::text')},
      'msgIndex', msg_index,
      'sentAt', at,
      'conversation', place`,
      { notify: ':notify::json::text', attachments: ':attachments::json::text' },
    )},
    :traceparent::text
  FROM posted
)
SELECT
  msg_index AS "msgIndex",
  at AS "sentAt"
FROM posted`;

const POSTING = {
  params: {
    spaceId: 'uuid',
    conversationId: 'uuid',
    authorId: 'uuid',
    authorType: 'text',
    /** Access without membership. */
    isGranted: 'bool',
    messageId: 'uuid',
    text: 'text',
    mentions: nullable('uuid[]'),
    /** Root message of a reply. */
    threadId: nullable('uuid'),
    metadataJson: nullable('text'),
    displayName: nullable('text'),
    displayAvatarUrl: nullable('text'),
    eventId: 'uuid',
    notify: nullable('json'),
    attachments: nullable('json'),
    traceparent: nullable('text'),
    textDerived: nullable('bool'),
    sourceJson: nullable('text'),
  },
  columns: { msgIndex: 'int8', sentAt: 'text' },
} as const;

/** Posts to a channel, voice chat or direct chat. */
export const POST_TO_CHANNEL = statement(
  'messages.post_to_channel',
  POSTING,
  `
WITH posted AS (
  UPDATE conversations c
  SET ${NEXT}
  WHERE c.space_id = :spaceId::uuid AND c.id = :conversationId::uuid AND c.root_message_id IS NULL
    AND ${allowed('c')}
  RETURNING ${COUNTED},
    ${POSTED_IN_CHANNEL} AS place
)${INSERTS}`,
);

/**
 * Posts to a channel, voice chat or direct chat whose row no other transaction has locked, without
 * waiting for a lock. Returns no row otherwise.
 */
export const POST_IF_FREE = statement(
  'messages.post_if_free',
  POSTING,
  `
WITH free AS MATERIALIZED (
  SELECT id
  FROM conversations
  WHERE space_id = :spaceId::uuid AND id = :conversationId::uuid AND root_message_id IS NULL
  FOR NO KEY UPDATE SKIP LOCKED
), posted AS (
  UPDATE conversations c
  SET ${NEXT}
  WHERE c.space_id = :spaceId AND c.id = (SELECT id FROM free)
    AND ${allowed('c')}
  RETURNING ${COUNTED},
    ${POSTED_IN_CHANNEL} AS place
)${INSERTS}`,
);

/**
 * Posts to a thread. Access is that of the channel, whose row is locked against changes of members
 * and state, but not against messages.
 */
export const POST_TO_THREAD = statement(
  'messages.post_to_thread',
  POSTING,
  `
WITH channel AS MATERIALIZED (
  SELECT
    p.id,
    p.type,
    p.scope,
    p.bot_ids,
    p.archived_at
  FROM conversations t
  JOIN conversations p ON p.space_id = t.space_id AND p.id = t.parent_conversation_id
  WHERE t.space_id = :spaceId::uuid AND t.id = :conversationId::uuid
  FOR KEY SHARE OF p
), posted AS (
  UPDATE conversations c
  SET ${NEXT}
  FROM channel
  WHERE c.space_id = :spaceId AND c.id = :conversationId AND c.root_message_id IS NOT NULL
    AND ${allowed('channel')}
  RETURNING ${COUNTED},
    ${POSTED_IN_THREAD} AS place
)${INSERTS}`,
);
