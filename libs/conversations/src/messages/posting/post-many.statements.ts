import { nullable, rfc3339, statement } from '@tieline/platform/database';
import { POSTED_IN_CHANNEL, postedPayload, shownSource } from '../message.statements.js';

/**
 * Posts many ordinary messages of one space in one statement, and therefore in one transaction. See
 * also `message.statements.ts`.
 *
 * Locks the conversations that are free; messages to locked conversations are left to separate
 * transactions, which wait alone. Checks access on the rows as they are once locked, numbers the
 * messages of each conversation in the given order, and inserts messages and events in that order.
 * The time is taken after the last lock.
 *
 * All parameters but the space are arrays with one element per message. `traceparents`,
 * `textDerived` and `sourceJsons` are null if no message has a value. Returns a row for each posted
 * message, with its index in the arrays.
 */
export const POST_MANY = statement(
  'messages.post_many',
  {
    params: {
      spaceId: 'uuid',
      conversationIds: 'uuid[]',
      authorIds: 'uuid[]',
      authorTypes: 'text[]',
      /** Access without membership. */
      granted: 'bool[]',
      messageIds: 'uuid[]',
      texts: 'text[]',
      metadataJsons: 'text[]',
      displayNames: 'text[]',
      displayAvatarUrls: 'text[]',
      eventIds: 'uuid[]',
      /** JSON. */
      notices: 'text[]',
      traceparents: nullable('text[]'),
      textDerived: nullable('bool[]'),
      sourceJsons: nullable('text[]'),
    },
    columns: { n: 'int8', msgIndex: 'int8', sentAt: 'text' },
  },
  `
WITH given AS (
  SELECT *
  FROM unnest(
    :conversationIds::uuid[],
    :authorIds::uuid[],
    :authorTypes::text[],
    :granted::boolean[],
    :messageIds::uuid[],
    :texts::text[],
    :metadataJsons::text[],
    :displayNames::text[],
    :displayAvatarUrls::text[],
    :eventIds::uuid[],
    :notices::text[],
    :traceparents::text[],
    :textDerived::boolean[],
    :sourceJsons::text[]
  ) WITH ORDINALITY AS g (
    conversation_id,
    author_id,
    author_type,
    granted,
    message_id,
    text,
    metadata_json,
    display_name,
    display_avatar_url,
    event_id,
    notify,
    traceparent,
    text_derived,
    source_json,
    n
  )
), c AS MATERIALIZED (
  SELECT
    id,
    bot_ids,
    last_msg_index,
    last_changed_at,
    ${POSTED_IN_CHANNEL} AS place
  FROM conversations c
  WHERE space_id = :spaceId::uuid AND id IN (SELECT conversation_id FROM given)
    AND root_message_id IS NULL AND archived_at IS NULL
  ORDER BY id
  FOR NO KEY UPDATE SKIP LOCKED
), moment AS MATERIALIZED (
  SELECT clock_timestamp() AS now FROM (SELECT count(*) FROM c) AS locked
), placed AS MATERIALIZED (
  SELECT
    g.*,
    c.last_msg_index + k.place AS msg_index,
    greatest(moment.now, c.last_changed_at + interval '1 microsecond')
      + (k.place - 1) * interval '1 microsecond' AS sent_at,
    c.place
  FROM (
    SELECT
      g.n,
      row_number() OVER (PARTITION BY g.conversation_id ORDER BY g.n) AS place
    FROM given g
    JOIN c ON c.id = g.conversation_id
    WHERE g.granted OR CASE g.author_type
      WHEN 'bot' THEN g.author_id = ANY (c.bot_ids)
      ELSE (
        SELECT true
        FROM conversation_members m
        WHERE m.space_id = :spaceId AND m.conversation_id = g.conversation_id
          AND m.member_id = g.author_id AND m.member_type = g.author_type
      ) END
  ) k
  JOIN given g USING (n)
  JOIN c ON c.id = g.conversation_id
  CROSS JOIN moment
), posted AS MATERIALIZED (
  SELECT *, ${rfc3339('sent_at')} AS at FROM placed
), counted AS (
  UPDATE conversations
  SET last_msg_index = p.last, last_changed_at = p.latest
  FROM (
    SELECT conversation_id, max(msg_index) AS last, max(sent_at) AS latest
    FROM posted
    GROUP BY conversation_id
  ) p
  WHERE space_id = :spaceId AND id = p.conversation_id
), message AS (
  INSERT INTO messages (
    space_id,
    id,
    conversation_id,
    msg_index,
    author_id,
    author_type,
    text,
    metadata_json,
    display_name,
    display_avatar_url,
    text_derived,
    source_json,
    sent_at
  )
  SELECT
    :spaceId,
    message_id,
    conversation_id,
    msg_index,
    author_id,
    author_type,
    text,
    metadata_json,
    display_name,
    display_avatar_url,
    text_derived,
    source_json,
    sent_at
  FROM posted
  ORDER BY n
), event AS (
  INSERT INTO outbox (event_id, space_id, type, payload, traceparent)
  SELECT
    event_id,
    :spaceId,
    'MESSAGE_CREATED',
    ${postedPayload(
      `
      'id', message_id,
      'authorId', author_id,
      'authorType', author_type,
      'text', text,
      'metadataJson', metadata_json,
      'displayName', display_name,
      'displayAvatarUrl', display_avatar_url,
      'textDerived', text_derived,
      'sourceJson', ${shownSource('source_json')},
      'msgIndex', msg_index,
      'sentAt', at,
      'conversation', place`,
      { notify: 'notify' },
    )},
    traceparent
  FROM posted
  ORDER BY n
)
SELECT
  n,
  msg_index AS "msgIndex",
  at AS "sentAt"
FROM posted`,
);
