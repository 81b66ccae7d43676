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
 * Takes the time of a change from the conversation's row: $1 space, $2 message, $3 its
 * conversation.
 */
export const FIND_MESSAGE_TO_CHANGE = statement(
  'conversations.find_message_to_change',
  `WITH change AS (
     UPDATE conversations SET last_changed_at = greatest(clock_timestamp(), last_changed_at + interval '1 microsecond') WHERE space_id = $1 AND id = $3
     RETURNING ${rfc3339('last_changed_at')} AS now
   )
   SELECT ${MESSAGE_COLUMNS}, change.now FROM messages m CROSS JOIN change WHERE m.space_id = $1 AND m.id = $2`,
  { ...MESSAGE, now: 'text' },
);

export const STORE_EDIT = statement(
  'messages.store_edit',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      text: 'text',
      mentions: nullable('uuid[]'),
      metadataJson: nullable('text'),
      editedAt: nullable('timestamptz'),
      textDerived: nullable('bool'),
      /** Whether the source stays, because the text does. */
      keepsSource: 'bool',
      sourceJson: nullable('text'),
    },
    columns: {},
  },
  `
  UPDATE messages
  SET
    text = :text,
    mentions = :mentions,
    metadata_json = :metadataJson,
    edited_at = :editedAt::timestamptz,
    changed_at = :editedAt::timestamptz,
    text_derived = :textDerived,
    source_json = CASE WHEN :keepsSource::boolean THEN source_json ELSE :sourceJson END
  WHERE space_id = :spaceId AND id = :id
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
