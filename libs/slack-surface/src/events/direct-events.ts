import { slackId } from '../ids/slack-ids.js';
import { tsOf } from '../ts/ts.js';
import { authorUser } from './author.js';
import type { EventFacts } from './event-facts.js';
import type { InnerEvent } from './inner-event.js';

/** Fields of `DM_OPENED`. */
export interface Opened {
  conversation_id: string;
  user_id: string;
  opened_at: string;
  tab?: 'home';
}

/** Returns the key of a home in {@link EventFacts}. */
export const homeKey = (botId: string, userId: string): string => `${botId}:${userId}`;

/**
 * Returns `app_home_opened` for a person who opened the direct chat with the bot or its home, which
 * then comes with the event.
 */
export function openedEvent(
  botId: string,
  { conversation_id: id, user_id: userId, opened_at: at, tab }: Opened,
  { homes }: EventFacts,
): InnerEvent {
  const view = tab === 'home' ? homes.get(homeKey(botId, userId)) : undefined;
  return {
    type: 'app_home_opened',
    user: authorUser(userId),
    channel: slackId('direct', id),
    tab: tab ?? 'messages',
    ...(view && { view }),
    event_ts: tsOf(at.replace('Z', '000Z')),
  };
}

/** Fields of `agent_run.stop_requested`. */
export interface StopRequested {
  message_id: string;
  user_id: string;
  requested_at: string;
}

/** Returns `agent_session_stopped`. None if the placeholder of the run is gone. */
export function stoppedEvents(
  { message_id: messageId, user_id: userId, requested_at: at }: StopRequested,
  { messages }: EventFacts,
): InnerEvent[] {
  const message = messages.get(messageId);
  if (!message) return [];
  return [
    {
      type: 'agent_session_stopped',
      channel: message.channel,
      user: authorUser(userId),
      thread_ts: message.threadTs ?? message.ts,
      streaming_message_ts: [message.ts],
      event_ts: tsOf(at.replace('Z', '000Z')),
    },
  ];
}
