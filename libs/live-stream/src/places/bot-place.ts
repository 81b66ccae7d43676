import { chatAccess, chatErrors, resolveReply } from '@tieline/conversations';
import type { Conversation } from '@tieline/conversations';
import type { Queryable, Tx } from '@tieline/platform/database';
import { badRequest } from '@tieline/platform/http';
import type { ApiError, BotPrincipal } from '@tieline/platform/http';

/** The conversation in the request, and the thread in it, if any. */
export interface BotPlace {
  conversationId: string;
  threadId: string | undefined;
}

/** Where a bot's status or prompts are stored. */
export interface StoredPlace {
  /** The conversation whose members see it; of a thread, its parent. */
  channelId: string;
  /** Root message of the thread, else the conversation. */
  placeId: string;
}

const threadNotFound = (): ApiError =>
  badRequest('thread_not_found', 'message not found in this conversation', 'thread_id');

/**
 * Returns the place that a bot writes to.
 * @throws 403 the bot is not a member, archived; 400 no such message for a thread
 */
export async function requireBotPlace(
  tx: Tx,
  { spaceId, botId }: BotPrincipal,
  { conversationId, threadId }: BotPlace,
): Promise<StoredPlace> {
  const author = { id: botId };
  const { conversation, refused } = await chatAccess.sending(tx, { spaceId, conversationId, author });
  if (refused) throw chatErrors.botRefused(refused);
  return storedPlace(tx, conversation, threadId);
}

/**
 * Returns the place of a conversation or of a thread in it.
 * @throws 400 no such message for a thread
 */
export async function storedPlace(
  q: Queryable,
  conversation: Conversation,
  threadId: string | undefined,
): Promise<StoredPlace> {
  const { spaceId, id, channelId, rootMessageId } = conversation;
  if (threadId === undefined) return { channelId, placeId: rootMessageId ?? id };
  const thread = await resolveReply(q, spaceId, conversation, threadId);
  if (!thread) throw threadNotFound();
  return { channelId, placeId: thread.rootMessageId };
}

/** Returns the place as people's clients receive it. */
export function placeView({ placeId, channelId }: StoredPlace): {
  conversation_id: string;
  thread_id?: string;
} {
  return { conversation_id: channelId, ...(placeId !== channelId && { thread_id: placeId }) };
}
