import type { AuthorType, MessageView } from './shown-message.js';

/** What can be a member of a conversation. */
export type MemberType = 'user' | 'bot';
export type ConversationType = 'chat' | 'channel' | 'voice' | 'thread';
export type ConversationScope = 'dm' | 'public' | 'private';

/** The event types that concern chat, all of them public (contract, "Event types"). */
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

/** What about a conversation never changes: enough to judge who may see an event. */
export interface ConversationFacts {
  /** Raw conversation type; a future value is passed through. */
  type: string;
  scope: ConversationScope;
  subtype?: string;
  is_direct: boolean;
  is_public: boolean;
  /** The channel of a thread; these three on threads only. */
  parent_conversation_id?: string;
  parent_conversation_type?: string;
  parent_is_public?: boolean;
}

/** `conversation_context` of the contract. */
export interface ConversationContext extends ConversationFacts {
  conversation_id: string;
}

/** The conversation of an event, for whoever plans its way. */
export interface EventConversation extends ConversationFacts {
  id: string;
  /** Threads only. */
  root_message_id?: string;
}

/** What a MESSAGE_UPDATED can be about. */
export const MESSAGE_CHANGES = ['text', 'metadata', 'attachments', 'pin'] as const;
export type MessageChange = (typeof MESSAGE_CHANGES)[number];

/** `data` of MESSAGE_CREATED and MESSAGE_UPDATED (contract, "Message event payload"). */
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
  /** These four in MESSAGE_UPDATED only; `changes` is never empty. */
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
 * Whom a new message is to be brought to (contract, "Push policy"). It travels inside the event,
 * for the worker alone: neither bots nor subscriptions nor streams see it.
 */
export interface MessageNotice {
  severity: 'critical' | 'warning' | 'info';
  /** The webhook's setting: may it push at all. */
  default_push: boolean;
  /** As sent: true forbids a push, false allows it once. */
  silent?: boolean;
  /** People who are to be pushed; those who are not in the conversation don't count. */
  mentions: string[];
  /** `@channel`: every member; `@here`: those who are online and look elsewhere. */
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
  /** UUIDv7; the same wherever this event is told. */
  event_id: string;
  event_type: Type;
  space_id: string;
  /** RFC 3339, UTC. */
  occurred_at: string;
  actor_id: string;
  actor_type: AuthorType;
  conversation: EventConversation;
  /** What `channel_ids` filters compare: a thread's parent, else the conversation itself. */
  channel_id: string;
  /** Root message of the thread that it happened in, or "". */
  thread_id: string;
  /** The wire object exactly as the contract shows it. */
  data: Data;
  /**
   * Bots that are members of the channel as of the commit; only where it is not public, else [].
   */
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
 * The outbox payload of every chat event; `type` of the outbox row is its `event_type`. Those of
 * members come inside {@link MembersChanged}.
 */
export type ChatEvent = MessageEvent | MessageDeletedEvent | ReactionEvent | ConversationEvent | MemberEvent;

/** Type of the internal outbox event that tells of a member who came or went. */
export const MEMBERS_CHANGED = 'conversation.members_changed';

/** Payload of {@link MEMBERS_CHANGED}. Threads have none: their members are their channel's. */
export interface MembersChanged {
  conversation_id: string;
  member_id: string;
  member_type: MemberType;
  joined: boolean;
  /** The public event of it; direct chats have none. */
  event?: MemberEvent;
}

const CHAT_EVENTS: ReadonlySet<string> = new Set(CHAT_EVENT_TYPES);

/** Whether an outbox record of this type carries a {@link ChatEvent}. */
export function isChatEventType(type: string): type is ChatEventType {
  return CHAT_EVENTS.has(type);
}
