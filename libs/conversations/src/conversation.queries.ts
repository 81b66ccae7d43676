import { rfc3339 } from '@tieline/platform/database';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { ConversationScope, MemberType } from './events/chat-event.js';

/** A conversation as this lib works with it; "channel" is a thread's parent, else the conversation itself. */
export interface Conversation {
  spaceId: string;
  id: string;
  type: string;
  subtype: string | null;
  scope: ConversationScope;
  name: string;
  parentConversationId: string | null;
  rootMessageId: string | null;
  /** Both member ids of a direct chat joined by a colon. */
  dmKey: string | null;
  createdBy: string;
  createdAt: string;
  channelId: string;
  channelType: string;
  /** Archive state and bots of a thread are its channel's. */
  archivedAt: string | null;
  botIds: string[];
}

/** Columns of {@link Conversation}; needs the aliases of {@link CONVERSATION_TABLES}. */
export const CONVERSATION_COLUMNS = `c.space_id AS "spaceId", c.id, c.type, c.subtype, c.scope, c.name, c.parent_conversation_id AS "parentConversationId",
  c.root_message_id AS "rootMessageId", c.dm_key AS "dmKey", c.created_by AS "createdBy", ${rfc3339('c.created_at')} AS "createdAt",
  channel.id AS "channelId", channel.type AS "channelType", ${rfc3339('channel.archived_at')} AS "archivedAt", channel.bot_ids AS "botIds"`;

/** `c` is the conversation, `channel` its parent where it is a thread, else itself. */
export const CONVERSATION_TABLES = `conversations c
  JOIN conversations channel ON channel.space_id = c.space_id AND channel.id = coalesce(c.parent_conversation_id, c.id)`;

/** How {@link lockConversation} locks: `write` what happens inside it, `change` its members and state. */
export type LockStrength = 'write' | 'change';

// A change of members or state excludes whatever is going on in the channel's threads too (their writers hold KEY SHARE on it).
const LOCKS: Readonly<Record<LockStrength, string>> = {
  write: 'FOR NO KEY UPDATE OF c FOR KEY SHARE OF channel',
  change: 'FOR UPDATE OF c',
};

/** The conversation, or undefined when the space has none of this id. */
export async function findConversation(
  q: Queryable,
  spaceId: string,
  id: string,
): Promise<Conversation | undefined> {
  const rows = await q.query<Conversation>(
    `SELECT ${CONVERSATION_COLUMNS} FROM ${CONVERSATION_TABLES} WHERE c.space_id = $1 AND c.id = $2`,
    [spaceId, id],
  );
  return rows[0];
}

/** The conversation with its row locked until the end of the transaction, as it is once the lock is held. */
export async function lockConversation(
  tx: Tx,
  spaceId: string,
  id: string,
  strength: LockStrength,
): Promise<Conversation | undefined> {
  const rows = await tx.query<Conversation>(
    `SELECT ${CONVERSATION_COLUMNS} FROM ${CONVERSATION_TABLES} WHERE c.space_id = $1 AND c.id = $2 ${LOCKS[strength]}`,
    [spaceId, id],
  );
  return rows[0];
}

/** The conversation of a message, locked for writing in it, or undefined when the space has no such message. */
export async function lockConversationOfMessage(
  tx: Tx,
  spaceId: string,
  messageId: string,
): Promise<Conversation | undefined> {
  const rows = await tx.query<Conversation>(
    `SELECT ${CONVERSATION_COLUMNS} FROM messages m JOIN ${CONVERSATION_TABLES} ON c.space_id = m.space_id AND c.id = m.conversation_id
      WHERE m.space_id = $1 AND m.id = $2 ${LOCKS.write}`,
    [spaceId, messageId],
  );
  return rows[0];
}

/** One member of a channel or direct chat. */
export interface ConversationMember {
  id: string;
  type: MemberType;
  /** The person wants no pushes from it. */
  muted: boolean;
}

/** Everybody who is a member of the conversation; for a thread, of its channel. In the order of joining. */
export async function membersOf(
  q: Queryable,
  spaceId: string,
  conversationId: string,
): Promise<ConversationMember[]> {
  return q.query<ConversationMember>(
    `SELECT cm.member_id AS id, cm.member_type AS type, cm.muted FROM conversations c
       JOIN conversation_members cm ON cm.space_id = c.space_id AND cm.conversation_id = coalesce(c.parent_conversation_id, c.id)
      WHERE c.space_id = $1 AND c.id = $2 ORDER BY cm.joined_at, cm.member_id`,
    [spaceId, conversationId],
  );
}

/** Whether that person or bot is a member of the channel or direct chat (pass a thread's `channelId`). */
export async function isMember(
  q: Queryable,
  spaceId: string,
  channelId: string,
  memberId: string,
): Promise<boolean> {
  const rows = await q.query(
    `SELECT 1 FROM conversation_members WHERE space_id = $1 AND conversation_id = $2 AND member_id = $3`,
    [spaceId, channelId, memberId],
  );
  return rows.length > 0;
}
