import { eventConversation } from './event-conversation.js';
import type { EventPlace } from './event-conversation.js';
import type { ChatEvent, MessageNotice } from './chat-event.js';
import type { AuthorType } from '../actors.js';

/** The part of an event that does not depend on its conversation. */
export type EventContent = ContentOf<ChatEvent>;
type ContentOf<Event> = Event extends ChatEvent
  ? Pick<Event, 'event_type' | 'data' | 'message'> & { notify?: MessageNotice | undefined }
  : never;

/** Who did something, and when. */
export interface Occurrence {
  actor: { id: string; type: AuthorType };
  /** RFC 3339, UTC. */
  at: string;
}

/** Builds a chat event. The caller read `place` under the conversation's row lock. */
export function chatEvent(
  eventId: string,
  place: EventPlace,
  { actor, at }: Occurrence,
  { event_type, data, message, notify }: EventContent,
): ChatEvent {
  return {
    event_id: eventId,
    event_type,
    space_id: place.spaceId,
    occurred_at: at,
    actor_id: actor.id,
    actor_type: actor.type,
    ...(notify && { notify }),
    conversation: eventConversation(place),
    channel_id: place.channelId,
    thread_id: place.rootMessageId ?? '',
    data,
    ...(message !== undefined && { message }),
    bot_ids: place.scope === 'public' ? [] : place.botIds,
  } as ChatEvent;
}
