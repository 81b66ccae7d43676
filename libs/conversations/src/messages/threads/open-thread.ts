import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import type { Conversation } from '../../conversation.queries.js';
import { FIND_PARENT, FIND_THREAD, INSERT_THREAD } from './thread.statements.js';

/** Where a reply is stored. */
export interface ReplyTarget {
  rootMessageId: string;
  /** Absent for the first reply to the root. */
  threadConversationId?: string;
}

/** Where the parent message is stored. */
export type ParentPlace = RowOf<typeof FIND_PARENT>;

/** The conversation id in the request. */
type NamedConversation = Pick<Conversation, 'id' | 'rootMessageId'>;

/**
 * Returns where a reply to `parent` is stored when it is sent to `named`. The parent is a message
 * of the channel or of a thread in it; if `named` is a thread, the parent is its root or one of its
 * messages (docs/client-api.md#threads).
 *
 * @returns undefined for any other parent
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
 * Looks up the parent message and returns its {@link replyTarget}; undefined also if the space has
 * no such message.
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
 * Returns the thread of a channel's message, creating it if needed. Concurrent transactions wait
 * for the one that creates it and return the same thread.
 *
 * @returns the id of the thread
 */
export async function openThread(
  tx: Tx,
  channel: Pick<Conversation, 'spaceId' | 'id' | 'scope'>,
  rootMessageId: string,
  createdBy: string,
): Promise<string> {
  const { spaceId, id: channelId, scope } = channel;
  const thread = { spaceId, id: uuidv7(), scope, channelId, rootMessageId, createdBy };
  const inserted = await tx.query(INSERT_THREAD, thread);
  const [found] = inserted.length > 0 ? inserted : await tx.query(FIND_THREAD, [spaceId, rootMessageId]);
  if (!found) throw new Error('thread created by another transaction is not visible');
  return found.id;
}
