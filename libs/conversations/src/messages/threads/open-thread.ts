import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import type { Conversation } from '../../conversation.queries.js';
import { FIND_PARENT, FIND_THREAD, INSERT_THREAD } from './thread.statements.js';

/** Where a reply goes. */
export interface ReplyTarget {
  rootMessageId: string;
  /** Absent when it is the first reply to the root. */
  threadConversationId?: string;
}

/** Where the message that is replied to is. */
export type ParentPlace = RowOf<typeof FIND_PARENT>;

/** The conversation that the caller named. */
type NamedConversation = Pick<Conversation, 'id' | 'rootMessageId'>;

/**
 * Where a reply to that message goes when it is sent to that conversation (decisions, section 3):
 * to a message of the channel, to a message inside a thread of the channel, or with the thread
 * named, to its root or one of its messages.
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

/**
 * {@link replyTarget} of a message by its id; undefined also when the space has no such message.
 */
export async function resolveReply(
  q: Queryable,
  spaceId: string,
  named: NamedConversation,
  parentMessageId: string,
): Promise<ReplyTarget | undefined> {
  const [parent] = await q.query(FIND_PARENT, [spaceId, parentMessageId]);
  return parent && replyTarget(named, parent);
}

/**
 * The thread of a channel's message, made when there is none yet. Of several transactions that make
 * it at once one succeeds, and the others wait for its commit and find it.
 *
 * @returns the id of the thread
 */
export async function openThread(
  tx: Tx,
  channel: Pick<Conversation, 'spaceId' | 'id' | 'scope'>,
  rootMessageId: string,
  createdBy: string,
): Promise<string> {
  const made = await tx.query(INSERT_THREAD, [
    channel.spaceId,
    uuidv7(),
    channel.scope,
    channel.id,
    rootMessageId,
    createdBy,
  ]);
  const [thread] = made.length > 0 ? made : await tx.query(FIND_THREAD, [channel.spaceId, rootMessageId]);
  if (!thread) throw new Error('a thread that another transaction made is not visible');
  return thread.id;
}
