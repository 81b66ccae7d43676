import type { Queryable, Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import type { Conversation } from '../../conversation.queries.js';

/** Where a reply goes. */
export interface ReplyTarget {
  rootMessageId: string;
  /** Absent when it is the first reply to the root. */
  threadConversationId?: string;
}

/** Where the message that is replied to is. */
export interface ParentPlace {
  messageId: string;
  conversationId: string;
  /** Root message of the conversation that it is in; null unless that is a thread. */
  rootMessageId: string | null;
  /** Channel of the thread that it is in. */
  parentConversationId: string | null;
  /** The thread that already hangs on it. */
  ownThreadId: string | null;
}

/** The conversation that the caller named. */
type NamedConversation = Pick<Conversation, 'id' | 'rootMessageId'>;

/**
 * Where a reply to that message goes when it is sent to that conversation (decisions, section 3): to a message of the
 * channel, to a message inside a thread of the channel, or with the thread named, to its root or one of its messages.
 *
 * @returns undefined for any other message
 */
export function replyTarget(named: NamedConversation, parent: ParentPlace): ReplyTarget | undefined {
  if (named.rootMessageId !== null) {
    const inside = parent.messageId === named.rootMessageId || parent.conversationId === named.id;
    return inside ? { rootMessageId: named.rootMessageId, threadConversationId: named.id } : undefined;
  }
  if (parent.conversationId === named.id) {
    return {
      rootMessageId: parent.messageId,
      ...(parent.ownThreadId !== null && { threadConversationId: parent.ownThreadId }),
    };
  }
  if (parent.rootMessageId !== null && parent.parentConversationId === named.id) {
    return { rootMessageId: parent.rootMessageId, threadConversationId: parent.conversationId };
  }
  return undefined;
}

/** {@link replyTarget} of a message by its id; undefined also when the space has no such message. */
export async function resolveReply(
  q: Queryable,
  spaceId: string,
  named: NamedConversation,
  parentMessageId: string,
): Promise<ReplyTarget | undefined> {
  const [parent] = await q.query<ParentPlace>(
    `SELECT m.id AS "messageId", m.conversation_id AS "conversationId", c.root_message_id AS "rootMessageId",
            c.parent_conversation_id AS "parentConversationId", thread.id AS "ownThreadId"
       FROM messages m JOIN conversations c ON c.space_id = m.space_id AND c.id = m.conversation_id
       LEFT JOIN conversations thread ON thread.space_id = m.space_id AND thread.root_message_id = m.id
      WHERE m.space_id = $1 AND m.id = $2`,
    [spaceId, parentMessageId],
  );
  return parent && replyTarget(named, parent);
}

/**
 * The thread of a channel's message, made when there is none yet. Of several transactions that make it at once one
 * succeeds, and the others wait for its commit and find it.
 *
 * @returns the id of the thread
 */
export async function openThread(
  tx: Tx,
  channel: Pick<Conversation, 'spaceId' | 'id' | 'scope'>,
  rootMessageId: string,
  createdBy: string,
): Promise<string> {
  const made = await tx.query<{ id: string }>(
    `INSERT INTO conversations (space_id, id, type, scope, parent_conversation_id, root_message_id, created_by) VALUES ($1, $2, 'thread', $3, $4, $5, $6)
     ON CONFLICT (space_id, root_message_id) WHERE root_message_id IS NOT NULL DO NOTHING RETURNING id`,
    [channel.spaceId, uuidv7(), channel.scope, channel.id, rootMessageId, createdBy],
  );
  const [thread] =
    made.length > 0
      ? made
      : await tx.query<{ id: string }>(
          'SELECT id FROM conversations WHERE space_id = $1 AND root_message_id = $2',
          [channel.spaceId, rootMessageId],
        );
  if (!thread) throw new Error('a thread that another transaction made is not visible');
  return thread.id;
}
