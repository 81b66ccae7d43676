import { appendOutbox } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import { MEMBERS_CHANGED } from './chat-event.js';
import type { AuthorType, ChatEvent, MembersChanged } from './chat-event.js';
import { eventConversation } from '../conversation.view.js';
import type { Conversation } from '../conversation.queries.js';

/** What an event says besides where it happened. */
export type EventContent = Pick<ChatEvent, 'event_type' | 'data' | 'message'>;

/** Who did what, and when. */
export interface Occurrence {
  actor: { id: string; type: AuthorType };
  /** RFC 3339, UTC. */
  at: string;
}

/** Appends a chat event. The caller holds the conversation's row lock, and `conversation` was read under it. */
export async function appendChatEvent(
  tx: Tx,
  conversation: Conversation,
  { actor, at }: Occurrence,
  content: EventContent,
): Promise<void> {
  const event = {
    event_id: uuidv7(),
    event_type: content.event_type,
    space_id: conversation.spaceId,
    occurred_at: at,
    actor_id: actor.id,
    actor_type: actor.type,
    conversation: eventConversation(conversation),
    channel_id: conversation.channelId,
    thread_id: conversation.rootMessageId ?? '',
    data: content.data,
    ...(content.message !== undefined && { message: content.message }),
    bot_ids: conversation.scope === 'public' ? [] : conversation.botIds,
  } as ChatEvent;
  await appendOutbox(tx, {
    eventId: event.event_id,
    spaceId: event.space_id,
    type: event.event_type,
    payload: event,
  });
}

/** Appends who came and went. The caller holds the conversation's row lock. */
export async function appendMembersChanged(
  tx: Tx,
  spaceId: string,
  changes: readonly MembersChanged[],
): Promise<void> {
  await appendOutbox(
    tx,
    ...changes.map((payload) => ({ eventId: uuidv7(), spaceId, type: MEMBERS_CHANGED, payload })),
  );
}
