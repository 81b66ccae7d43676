import { json, nullable, rfc3339, statement, text } from '@tieline/platform/database';
import type { AuthorType } from '../actors.js';
import type { ReactionView } from '../events/shown-message.js';

/** Who pinned a message, and when. */
export interface Pin {
  /** RFC 3339, UTC, nine fractional digits. */
  at: string;
  by: string;
}

/** Columns of a stored message. Times are RFC 3339, UTC, nine fractional digits. */
export const MESSAGE = {
  id: 'uuid',
  conversationId: 'uuid',
  msgIndex: 'int8',
  authorId: 'uuid',
  authorType: text<AuthorType>(),
  /** Empty once deleted. */
  text: 'text',
  mentions: nullable('uuid[]'),
  /** Root message, on replies only. */
  threadId: nullable('uuid'),
  metadataJson: nullable('text'),
  displayName: nullable('text'),
  displayAvatarUrl: nullable('text'),
  /** True if the text was derived from the attachments and blocks. */
  textDerived: nullable('bool'),
  /** The message in the format of another product, unchanged. */
  sourceJson: nullable('text'),
  sentAt: 'text',
  editedAt: nullable('text'),
  deletedAt: nullable('text'),
  reactions: nullable(json<ReactionView[]>()),
  pin: nullable(json<Pin>()),
} as const;

// A message that was never changed has no reactions and no pin, so most rows skip those tables.
const REACTIONS = `CASE WHEN m.changed_at IS NOT NULL THEN (
    SELECT json_agg(
      json_build_object('emoji', by_emoji.emoji, 'user_ids', by_emoji.user_ids)
      ORDER BY by_emoji.since, by_emoji.emoji
    )
    FROM (
      SELECT
        r.emoji,
        json_agg(r.user_id ORDER BY r.created_at, r.user_id) AS user_ids,
        min(r.created_at) AS since
      FROM reactions r
      WHERE r.space_id = m.space_id AND r.message_id = m.id
      GROUP BY r.emoji
    ) by_emoji
  ) END`;
const PIN = `CASE WHEN m.changed_at IS NOT NULL THEN (
    SELECT json_build_object('at', ${rfc3339('p.pinned_at')}, 'by', p.pinned_by)
    FROM pins p
    WHERE p.space_id = m.space_id AND p.conversation_id = m.conversation_id AND p.message_id = m.id
  ) END`;

/** Selects {@link MESSAGE} from a table with the alias `m`. */
export const MESSAGE_COLUMNS = `
  m.id,
  m.conversation_id AS "conversationId",
  m.msg_index AS "msgIndex",
  m.author_id AS "authorId",
  m.author_type AS "authorType",
  m.text,
  m.mentions,
  m.thread_id AS "threadId",
  m.metadata_json AS "metadataJson",
  m.display_name AS "displayName",
  m.display_avatar_url AS "displayAvatarUrl",
  m.text_derived AS "textDerived",
  m.source_json AS "sourceJson",
  ${rfc3339('m.sent_at')} AS "sentAt",
  ${rfc3339('m.edited_at')} AS "editedAt",
  ${rfc3339('m.deleted_at')} AS "deletedAt",
  ${REACTIONS} AS reactions,
  ${PIN} AS pin`;

export const FIND_MESSAGE = statement(
  'conversations.find_message',
  `SELECT ${MESSAGE_COLUMNS} FROM messages m WHERE m.space_id = $1 AND m.id = $2`,
  MESSAGE,
);

/**
 * Takes the times of the changes from the conversation's row, a microsecond apart in the order of
 * `ids`. All messages are of this conversation. `n` is the position of a message in `ids`, from 1.
 */
export const FIND_MESSAGES_TO_CHANGE = statement(
  'conversations.find_messages_to_change',
  {
    params: { spaceId: 'uuid', conversationId: 'uuid', ids: 'uuid[]' },
    columns: { ...MESSAGE, n: 'int4', now: 'text' },
  },
  `
  WITH change AS (
    UPDATE conversations
    SET
      last_changed_at = greatest(clock_timestamp(), last_changed_at + interval '1 microsecond')
        + interval '1 microsecond' * (cardinality(:ids::uuid[]) - 1)
    WHERE space_id = :spaceId AND id = :conversationId
    RETURNING last_changed_at - interval '1 microsecond' * cardinality(:ids::uuid[]) AS before
  )
  SELECT
    ${MESSAGE_COLUMNS},
    array_position(:ids::uuid[], m.id) AS n,
    ${rfc3339("(change.before + interval '1 microsecond' * array_position(:ids::uuid[], m.id))")} AS now
  FROM messages m CROSS JOIN change
  WHERE m.space_id = :spaceId AND m.id = ANY (:ids::uuid[])
  `,
);

export const STORE_EDITS = statement(
  'messages.store_edits',
  {
    params: {
      spaceId: 'uuid',
      ids: 'uuid[]',
      texts: 'text[]',
      /** Arrays of ids in the format of Postgres. */
      mentions: 'text[]',
      metadataJsons: 'text[]',
      editedAts: 'timestamptz[]',
      textDerived: 'bool[]',
      /** Whether the source stays, because the text does. */
      keepsSource: 'bool[]',
      sourceJsons: 'text[]',
    },
    columns: {},
  },
  `
  UPDATE messages
  SET
    text = given_text,
    mentions = given_mentions::uuid[],
    metadata_json = given_metadata_json,
    edited_at = given_edited_at,
    changed_at = given_edited_at,
    text_derived = given_text_derived,
    source_json = CASE WHEN keeps_source THEN source_json ELSE given_source_json END
  FROM unnest(
    :ids::uuid[],
    :texts::text[],
    :mentions::text[],
    :metadataJsons::text[],
    :editedAts::timestamptz[],
    :textDerived::boolean[],
    :keepsSource::boolean[],
    :sourceJsons::text[]
  ) AS g (
    given_id,
    given_text,
    given_mentions,
    given_metadata_json,
    given_edited_at,
    given_text_derived,
    keeps_source,
    given_source_json
  )
  WHERE space_id = :spaceId AND id = given_id
  `,
);

export const STORE_DELETION = statement(
  'conversations.store_deletion',
  `UPDATE messages SET text = '', mentions = NULL, metadata_json = NULL, text_derived = NULL, source_json = NULL, deleted_at = $3::timestamptz, changed_at = $3::timestamptz WHERE space_id = $1 AND id = $2`,
  {},
);

/** Records that reactions or the pin of a message changed. */
export const MARK_CHANGED = statement(
  'conversations.mark_changed',
  'UPDATE messages SET changed_at = $3::timestamptz WHERE space_id = $1 AND id = $2',
  {},
);
