import type { ChatEvent, ContextMessageView, ContextRequest } from '@tieline/conversations';
import { withinDeadline } from '@tieline/background';
import type { EventContext } from './envelope.js';

/**
 * Reads several contexts. Returns one list of messages per request, oldest first, without deleted
 * messages.
 */
export type ContextReader = (requests: ContextRequest[]) => Promise<ContextMessageView[][]>;

/** Maximum time for a read, so that a slow one does not delay other events. */
const READ_TIMEOUT_MS = 2000;

/**
 * Builds the read request of an event. A reaction has no message index, so its context are the
 * newest messages.
 */
export function contextRequest(event: ChatEvent, limit: number): ContextRequest {
  const place = { spaceId: event.space_id, conversationId: event.conversation.id };
  if ('msg_index' in event.data) return { ...place, beforeMsgIndex: event.data.msg_index, limit };
  // One more, because the result may include the reaction's own message, which is removed.
  return { ...place, beforeMsgIndex: Number.MAX_SAFE_INTEGER, limit: limit + 1 };
}

/**
 * Reads the contexts of several events. If the read fails or takes too long, all of them are sent
 * without context, marked with `context_error`.
 * @param failed called with the reason of a failure
 */
export async function readContexts(
  read: ContextReader,
  requests: ContextRequest[],
  failed: (error: unknown) => void,
  timeoutMs = READ_TIMEOUT_MS,
): Promise<EventContext[]> {
  try {
    const answers = await withinDeadline(read(requests), timeoutMs, 'context was not read');
    return answers.map((messages) => ({ messages, context_error: false }));
  } catch (error) {
    failed(error);
    return requests.map(() => ({ messages: [], context_error: true }));
  }
}

/** Returns the newest `size` messages of a context, without the event's own message. */
export function contextFor(
  event: ChatEvent,
  { messages, context_error }: EventContext,
  size: number,
): EventContext {
  const own = 'message_id' in event.data ? event.data.message_id : undefined;
  return { messages: messages.filter(({ id }) => id !== own).slice(-size), context_error };
}
