import type { ChatEvent } from '@tieline/conversations';
import type { DirectForSlack } from '@tieline/bots';
import { changedChannelEvents, conversationEvents, memberEvent, reactionEvents } from './channel-events.js';
import { openedEvent, stoppedEvents, threadStartedEvents, userEvent } from './direct-events.js';
import type { ChangedUser, Opened, StopRequested, ThreadStarted } from './direct-events.js';
import type { EventFacts } from './event-facts.js';
import type { InnerEvent } from './inner-event.js';
import { createdEvents, deletedEvent, updatedEvents } from './message-events.js';

/** Returns what a chat event is in Slack's format for a bot; nothing if it has no counterpart. */
export function chatEventsFor(botId: string, event: ChatEvent, facts: EventFacts): InnerEvent[] {
  switch (event.event_type) {
    case 'MESSAGE_CREATED':
      return createdEvents(event, botId, facts);
    case 'MESSAGE_UPDATED':
      return updatedEvents(event, facts);
    case 'MESSAGE_DELETED':
      return [deletedEvent(event, facts)];
    case 'REACTION_ADDED':
    case 'REACTION_REMOVED':
      return reactionEvents(event, facts);
    case 'MEMBER_JOINED':
    case 'MEMBER_LEFT':
      return [memberEvent(event)];
    case 'CONVERSATION_CREATED':
    case 'CONVERSATION_ARCHIVED':
      return conversationEvents(event);
    case 'CONVERSATION_UPDATED':
      return changedChannelEvents(event);
    default:
      return [];
  }
}

/** Like {@link chatEventsFor}, for an event that was sent to the bot alone. */
export function directEvents(
  { spaceId, botId }: { spaceId: string; botId: string },
  { eventType, payload }: DirectForSlack,
  facts: EventFacts,
): InnerEvent[] {
  switch (eventType) {
    case 'DM_OPENED':
      return [openedEvent(botId, JSON.parse(payload) as Opened, facts)];
    case 'agent_run.stop_requested':
      return stoppedEvents(JSON.parse(payload) as StopRequested, facts);
    case 'ASSISTANT_THREAD_STARTED':
      return threadStartedEvents(JSON.parse(payload) as ThreadStarted, facts);
    case 'USER_CREATED':
    case 'USER_UPDATED':
      return [userEvent(spaceId, JSON.parse(payload) as ChangedUser)];
    default:
      return [];
  }
}

/** Returns the ids of the messages that translating an event refers to. */
export function referredMessages({
  event,
}: {
  event: { chat: ChatEvent } | { direct: DirectForSlack };
}): string[] {
  if ('direct' in event) {
    const { eventType, payload } = event.direct;
    if (eventType === 'agent_run.stop_requested') return [(JSON.parse(payload) as StopRequested).message_id];
    return eventType === 'ASSISTANT_THREAD_STARTED' ? [(JSON.parse(payload) as ThreadStarted).thread_id] : [];
  }
  const { chat } = event;
  if (chat.event_type === 'REACTION_ADDED' || chat.event_type === 'REACTION_REMOVED')
    return [chat.data.message_id];
  return chat.message && chat.thread_id !== '' ? [chat.thread_id] : [];
}
