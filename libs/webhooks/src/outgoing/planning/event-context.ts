import type { ChatEvent, ContextMessage, ContextRequest } from '@tieline/conversations';
import { withinDeadline } from '@tieline/background';
import type { EventContext } from './envelope.js';

/** Reads many contexts at once: one list per request, ascending, without deleted messages. */
export type ContextReader = (requests: ContextRequest[]) => Promise<ContextMessage[][]>;

/** A slow read must not hold up everybody's events. */
const READ_TIMEOUT_MS = 2000;

/**
 * What to read for an event. A reaction has no place in the order of messages: its context are the
 * newest ones.
 */
export function contextRequest(event: ChatEvent, limit: number): ContextRequest {
  const place = { spaceId: event.space_id, conversationId: event.conversation.id };
  if ('msg_index' in event.data) return { ...place, beforeMsgIndex: event.data.msg_index, limit };
  // One more, because the message of a reaction may be among them and is left out.
  return { ...place, beforeMsgIndex: Number.MAX_SAFE_INTEGER, limit: limit + 1 };
}

/**
 * Reads the contexts of several events. When that fails or takes too long, every event of the batch
 * goes out without one, marked with `context_error`: enrichment never costs an event (contract,
 * "Outgoing webhook delivery").
 *
 * @param failed is told why
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

/**
 * The context of one subscription: the newest `size` messages, without the event's own. All sizes
 * share one read.
 */
export function contextFor(
  event: ChatEvent,
  { messages, context_error }: EventContext,
  size: number,
): EventContext {
  const own = 'message_id' in event.data ? event.data.message_id : undefined;
  return { messages: messages.filter(({ id }) => id !== own).slice(-size), context_error };
}
