import type { AuthorType, MessageView } from './shown-message.js';

/** Kinds of conversation members. */
export type MemberType = 'user' | 'bot';
export type ConversationType = 'chat' | 'channel' | 'voice' | 'thread';
export type ConversationScope = 'dm' | 'public' | 'private';

/** Types of public chat events (docs/events.md#conversation-events). */
export const CHAT_EVENT_TYPES = [
  'MESSAGE_CREATED',
  'MESSAGE_UPDATED',
  'MESSAGE_DELETED',
  'REACTION_ADDED',
  'REACTION_REMOVED',
  'CONVERSATION_CREATED',
  'CONVERSATION_ARCHIVED',
  'MEMBER_JOINED',
  'MEMBER_LEFT',
] as const;
export type ChatEventType = (typeof CHAT_EVENT_TYPES)[number];

/** Facts about a conversation that never change. They decide who may see an event. */
export interface ConversationFacts {
  /** The stored conversation type; unknown future values are passed through. */
  type: string;
  scope: ConversationScope;
  subtype?: string;
  is_direct: boolean;
  is_public: boolean;
  /** The channel of a thread. This and the next two are set on threads only. */
  parent_conversation_id?: string;
  parent_conversation_type?: string;
  parent_is_public?: boolean;
}

/** `conversation_context` of message events (docs/events.md#conversation-context). */
export interface ConversationContext extends ConversationFacts {
  conversation_id: string;
}

/** The conversation of an event, as planners use it. */
export interface EventConversation extends ConversationFacts {
  id: string;
  /** Threads only. */
  root_message_id?: string;
}

/** What a MESSAGE_UPDATED can change. */
export const MESSAGE_CHANGES = ['text', 'metadata', 'attachments', 'pin'] as const;
export type MessageChange = (typeof MESSAGE_CHANGES)[number];

/** `data` of MESSAGE_CREATED and MESSAGE_UPDATED (docs/events.md#message-data). */
export interface MessageData {
  message_id: string;
  /** For a thread message, the thread's id. */
  conversation_id: string;
  author_id: string;
  text: string;
  msg_index: number;
  /** RFC 3339, UTC, nine fractional digits. */
  sent_at: string;
  text_derived?: boolean;
  mentions?: string[];
  thread_id?: string;
  parent_message_id?: string;
  conversation_context: ConversationContext;
  /** This and the next three are set in MESSAGE_UPDATED only. `changes` is never empty. */
  changes?: MessageChange[];
  edited_at?: string;
  pinned_at?: string;
  pinned_by?: string;
}

/** `data` of MESSAGE_DELETED. */
export interface DeletedMessageData {
  message_id: string;
  conversation_id: string;
  text: '';
  msg_index: number;
  author_id: string;
  sent_at: string;
  conversation_context: ConversationContext;
}

/** `data` of REACTION_ADDED and REACTION_REMOVED. */
export interface ReactionData {
  message_id: string;
  conversation_id: string;
  emoji: string;
  user_id: string;
}

/** `data` of CONVERSATION_CREATED and CONVERSATION_ARCHIVED. */
export interface ConversationData {
  conversation_id: string;
  name: string;
  type: string;
  created_by: string;
}

/**
 * Whom a new message notifies. Only the worker reads it; bots, subscriptions and streams never
 * receive it.
 */
export interface MessageNotice {
  severity: 'critical' | 'warning' | 'info';
  /** The webhook's setting: whether its messages may push at all. */
  default_push: boolean;
  /** As sent: true forbids pushes, false allows them for this message. */
  silent?: boolean;
  /** People to push. Ids of non-members are ignored. */
  mentions: string[];
  /**
   * `channel`: notify every member. `here`: notify the members who are online and not viewing the
   * conversation.
   */
  channel: boolean;
  here: boolean;
}

/** `data` of MEMBER_JOINED and MEMBER_LEFT. */
export interface MemberData {
  conversation_id: string;
  member_id: string;
  member_type: MemberType;
}

interface ChatEventHead<Type extends ChatEventType, Data> {
  /** UUIDv7, the same in every channel that delivers this event. */
  event_id: string;
  event_type: Type;
  space_id: string;
  /** RFC 3339, UTC. */
  occurred_at: string;
  actor_id: string;
  actor_type: AuthorType;
  conversation: EventConversation;
  /**
   * The id that `channel_ids` filters compare: a thread's parent, otherwise the conversation
   * itself.
   */
  channel_id: string;
  /** Root message of the thread it happened in, or "". */
  thread_id: string;
  /** The object that is sent. */
  data: Data;
  /** Bots that are members of the channel at commit. Always [] for public channels. */
  bot_ids: string[];
}

type MessageEvent = ChatEventHead<'MESSAGE_CREATED' | 'MESSAGE_UPDATED', MessageData> & {
  message: MessageView;
  notify?: MessageNotice;
};
type MessageDeletedEvent = ChatEventHead<'MESSAGE_DELETED', DeletedMessageData> & { message: MessageView };
type ReactionEvent = ChatEventHead<'REACTION_ADDED' | 'REACTION_REMOVED', ReactionData> & {
  message?: undefined;
};
type ConversationEvent = ChatEventHead<'CONVERSATION_CREATED' | 'CONVERSATION_ARCHIVED', ConversationData> & {
  message?: undefined;
};

export type MemberEvent = ChatEventHead<'MEMBER_JOINED' | 'MEMBER_LEFT', MemberData> & {
  message?: undefined;
};

/**
 * The outbox payload of every chat event. The outbox row's `type` is its `event_type`. Member
 * events are wrapped in {@link MembersChanged}.
 */
export type ChatEvent = MessageEvent | MessageDeletedEvent | ReactionEvent | ConversationEvent | MemberEvent;

/** Type of the internal outbox event for a member that joined or left. */
export const MEMBERS_CHANGED = 'conversation.members_changed';

/**
 * Payload of {@link MEMBERS_CHANGED}. Threads have none: they share the members of their channel.
 */
export interface MembersChanged {
  conversation_id: string;
  member_id: string;
  member_type: MemberType;
  joined: boolean;
  /** The public event; absent for direct chats. */
  event?: MemberEvent;
}

const CHAT_EVENTS: ReadonlySet<string> = new Set(CHAT_EVENT_TYPES);

/** Returns whether outbox records of this type carry a {@link ChatEvent}. */
export function isChatEventType(type: string): type is ChatEventType {
  return CHAT_EVENTS.has(type);
}
