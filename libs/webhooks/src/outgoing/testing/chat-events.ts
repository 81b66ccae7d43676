import type { ChatEvent } from '@tieline/conversations';
import type { EventConversation } from '@tieline/conversations/testing';

/** Fixed ids of test events. */
export const IDS = {
  space: '0190f2a4-7c1b-7000-8000-000000000001',
  event: '0190f2a4-7c1b-7000-8000-000000000002',
  channel: '0190f2a4-7c1b-7000-8000-000000000003',
  thread: '0190f2a4-7c1b-7000-8000-000000000004',
  root: '0190f2a4-7c1b-7000-8000-000000000005',
  message: '0190f2a4-7c1b-7000-8000-000000000006',
  person: '0190f2a4-7c1b-7000-8000-000000000007',
  other: '0190f2a4-7c1b-7000-8000-000000000008',
};

const CHANNEL: EventConversation = {
  id: IDS.channel,
  type: 'channel',
  scope: 'public',
  is_direct: false,
  is_public: true,
};
const DM: EventConversation = {
  id: IDS.channel,
  type: 'chat',
  scope: 'dm',
  is_direct: true,
  is_public: false,
};
const THREAD: EventConversation = {
  id: IDS.thread,
  type: 'thread',
  scope: 'public',
  is_direct: false,
  is_public: true,
  parent_conversation_id: IDS.channel,
  parent_conversation_type: 'channel',
  parent_is_public: true,
  root_message_id: IDS.root,
};

/** One conversation of each kind. */
export const CONVERSATIONS = {
  channel: CHANNEL,
  private: { ...CHANNEL, scope: 'private', is_public: false },
  voice: { ...CHANNEL, type: 'voice' },
  dm: DM,
  thread: THREAD,
  dmThread: {
    ...THREAD,
    scope: 'dm',
    is_public: false,
    is_direct: true,
    parent_conversation_type: 'chat',
    parent_is_public: false,
  },
} satisfies Record<string, EventConversation>;

interface EventFacts {
  type?: ChatEvent['event_type'];
  conversation?: EventConversation;
  text?: string;
  mentions?: string[];
  actorType?: ChatEvent['actor_type'];
}

/** Builds a chat event as stored in the outbox. */
export function chatEvent({
  type = 'MESSAGE_CREATED',
  conversation = CHANNEL,
  text = 'hello',
  mentions,
  actorType = 'user',
}: EventFacts = {}): ChatEvent {
  const { id, root_message_id, ...context } = conversation;
  const ids = { message_id: IDS.message, conversation_id: id };
  const data = type.startsWith('MESSAGE')
    ? {
        ...ids,
        author_id: IDS.person,
        text,
        msg_index: 7,
        sent_at: '2026-01-02T03:04:05.678900000Z',
        ...(mentions && { mentions }),
        conversation_context: { conversation_id: id, ...context },
      }
    : type.startsWith('REACTION')
      ? { ...ids, emoji: '👍', user_id: IDS.person }
      : { conversation_id: id, name: 'general', type: conversation.type, created_by: IDS.person };
  return {
    event_id: IDS.event,
    event_type: type,
    space_id: IDS.space,
    occurred_at: '2026-01-02T03:04:05.678900000Z',
    actor_id: IDS.person,
    actor_type: actorType,
    conversation,
    channel_id: conversation.parent_conversation_id ?? id,
    thread_id: root_message_id ?? '',
    data,
    bot_ids: [],
  } as unknown as ChatEvent;
}
