import { rfc3339 } from '@tieline/platform/database';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { AuthorType, ReactionView } from '../events/shown-message.js';
import type { Conversation } from '../conversation.queries.js';

/** A stored message. Times are RFC 3339, UTC, nine fractional digits. */
export interface Message {
  id: string;
  conversationId: string;
  msgIndex: number;
  authorId: string;
  authorType: AuthorType;
  /** Empty once deleted. */
  text: string;
  mentions: string[] | null;
  /** Root message, on replies only. */
  threadId: string | null;
  metadataJson: string | null;
  displayName: string | null;
  displayAvatarUrl: string | null;
  sentAt: string;
  editedAt: string | null;
  deletedAt: string | null;
  reactions: ReactionView[] | null;
}

// A message that was never changed has no reactions: most rows need no look at that table.
const REACTIONS = `CASE WHEN m.changed_at IS NOT NULL THEN (
  SELECT json_agg(json_build_object('emoji', by_emoji.emoji, 'user_ids', by_emoji.user_ids) ORDER BY by_emoji.since, by_emoji.emoji)
    FROM (SELECT r.emoji, json_agg(r.user_id ORDER BY r.created_at, r.user_id) AS user_ids, min(r.created_at) AS since
            FROM reactions r WHERE r.space_id = m.space_id AND r.message_id = m.id GROUP BY r.emoji) by_emoji) END`;

/** Columns of {@link Message}; the table's alias is `m`. */
export const MESSAGE_COLUMNS = `m.id, m.conversation_id AS "conversationId", m.msg_index AS "msgIndex", m.author_id AS "authorId", m.author_type AS "authorType",
  m.text, m.mentions, m.thread_id AS "threadId", m.metadata_json AS "metadataJson", m.display_name AS "displayName", m.display_avatar_url AS "displayAvatarUrl",
  ${rfc3339('m.sent_at')} AS "sentAt", ${rfc3339('m.edited_at')} AS "editedAt", ${rfc3339('m.deleted_at')} AS "deletedAt", ${REACTIONS} AS reactions`;

/** The message, deleted or not, or undefined when the space has none of this id. */
export async function findMessage(q: Queryable, spaceId: string, id: string): Promise<Message | undefined> {
  const rows = await q.query<Message>(
    `SELECT ${MESSAGE_COLUMNS} FROM messages m WHERE m.space_id = $1 AND m.id = $2`,
    [spaceId, id],
  );
  return rows[0];
}

/**
 * The message that is about to be changed, with the time of the change: times within a conversation grow with the commits,
 * whatever they are about, so that `updated_since` misses nothing. The caller holds the conversation's row lock.
 */
export async function findMessageToChange(
  tx: Tx,
  conversation: Pick<Conversation, 'spaceId' | 'id'>,
  id: string,
): Promise<{ message: Message; now: string } | undefined> {
  const [row] = await tx.query<Message & { now: string }>(
    `WITH change AS (
       UPDATE conversations SET last_changed_at = greatest(clock_timestamp(), last_changed_at + interval '1 microsecond') WHERE space_id = $1 AND id = $3
       RETURNING ${rfc3339('last_changed_at')} AS now
     )
     SELECT ${MESSAGE_COLUMNS}, change.now FROM messages m CROSS JOIN change WHERE m.space_id = $1 AND m.id = $2`,
    [conversation.spaceId, id, conversation.id],
  );
  if (!row) return undefined;
  const { now, ...message } = row;
  return { message, now };
}
