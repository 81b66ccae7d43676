import { slackId } from '../ids/slack-ids.js';
import { personUser } from '../methods/slack-user.js';
import type { SlackPerson } from '../methods/slack-user.js';
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
    event_ts: microseconds(at),
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
      event_ts: microseconds(at),
    },
  ];
}

/** Fields of `ASSISTANT_THREAD_STARTED`. */
export interface ThreadStarted {
  conversation_id: string;
  thread_id: string;
  user_id: string;
  started_at: string;
}

/**
 * Returns `assistant_thread_started`. None if the root message is gone. Its context is empty: the
 * app is not told what the person looked at before.
 */
export function threadStartedEvents(
  { conversation_id: id, thread_id: rootId, user_id: userId, started_at: at }: ThreadStarted,
  { messages }: EventFacts,
): InnerEvent[] {
  const root = messages.get(rootId);
  if (!root) return [];
  const thread = {
    user_id: authorUser(userId),
    context: {},
    channel_id: slackId('direct', id),
    thread_ts: root.ts,
  };
  return [{ type: 'assistant_thread_started', assistant_thread: thread, event_ts: microseconds(at) }];
}

/** Fields of `USER_CREATED` and `USER_UPDATED`. */
export interface ChangedUser {
  event_type: 'USER_CREATED' | 'USER_UPDATED';
  user: SlackPerson;
  occurred_at: string;
}

/** Returns `team_join` or `user_change`, with the person as in `users.info`. */
export function userEvent(
  spaceId: string,
  { event_type: type, user, occurred_at: at }: ChangedUser,
): InnerEvent {
  return {
    type: type === 'USER_CREATED' ? 'team_join' : 'user_change',
    user: personUser(user, spaceId),
    cache_ts: Math.floor(Number(microseconds(at))),
    event_ts: microseconds(at),
  };
}

/** Returns the `ts` of a time with milliseconds. */
const microseconds = (at: string): string => tsOf(at.replace('Z', '000Z'));
