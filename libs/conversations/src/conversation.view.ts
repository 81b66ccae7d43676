import type {
  ConversationContext,
  ConversationData,
  ConversationFacts,
  EventConversation,
} from './events/chat-event.js';
import type { Conversation } from './conversation.queries.js';

/** A conversation as people's clients read it (decisions, section 3). */
export interface ConversationView {
  id: string;
  space_id: string;
  type: string;
  subtype?: string;
  scope: string;
  name: string;
  is_direct: boolean;
  is_public: boolean;
  parent_conversation_id?: string;
  root_message_id?: string;
  created_by: string;
  created_at: string;
  archived_at: string | null;
  /** Both members; direct chats only. */
  member_ids?: string[];
  /** Whether the reader is a member; for a thread, of its channel. */
  is_member: boolean;
  /** Whether the reader muted it. */
  muted: boolean;
}

/** For the OpenAPI document. */
export const CONVERSATION_EXAMPLE = {
  id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
  space_id: '01939d3e-0001-7aaa-9c1d-2f6a5b1c0d41',
  type: 'channel',
  scope: 'public',
  name: 'releases',
  is_direct: false,
  is_public: true,
  created_by: '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41',
  created_at: '2026-01-31T09:00:00.123456000Z',
  archived_at: null,
  is_member: true,
  muted: false,
} satisfies ConversationView;

/** What {@link conversationView} needs besides the conversation. */
export interface Membership {
  isMember: boolean;
  muted: boolean;
}

/** A conversation as its reader sees it. */
export function conversationView(
  conversation: Conversation,
  { isMember, muted }: Membership,
): ConversationView {
  return {
    id: conversation.id,
    space_id: conversation.spaceId,
    type: conversation.type,
    ...(conversation.subtype !== null && { subtype: conversation.subtype }),
    scope: conversation.scope,
    name: conversation.name,
    is_direct: conversation.scope === 'dm',
    is_public: conversation.scope === 'public',
    ...(conversation.parentConversationId !== null && {
      parent_conversation_id: conversation.parentConversationId,
    }),
    ...(conversation.rootMessageId !== null && { root_message_id: conversation.rootMessageId }),
    created_by: conversation.createdBy,
    created_at: conversation.createdAt,
    archived_at: conversation.archivedAt,
    ...(conversation.dmKey !== null && { member_ids: [...new Set(conversation.dmKey.split(':'))] }),
    is_member: isMember,
    muted,
  };
}

/** What of a conversation its facts are made from. */
type FactsSource = Pick<Conversation, 'type' | 'scope' | 'subtype' | 'parentConversationId' | 'channelType'>;

/** `conversation_context` of message events and the DM stream. */
export function conversationContext(
  conversation: FactsSource & Pick<Conversation, 'id'>,
): ConversationContext {
  return { conversation_id: conversation.id, ...conversationFacts(conversation) };
}

/** `data` of CONVERSATION_CREATED and CONVERSATION_ARCHIVED. */
export function conversationData({ id, name, type, createdBy }: Conversation): ConversationData {
  return { conversation_id: id, name, type, created_by: createdBy };
}

/** What a chat event is made from, of the conversation that it happened in. */
export type EventPlace = FactsSource &
  Pick<Conversation, 'spaceId' | 'id' | 'rootMessageId' | 'channelId' | 'botIds'>;

/** The conversation inside a chat event. */
export function eventConversation(conversation: Omit<EventPlace, 'spaceId'>): EventConversation {
  return {
    id: conversation.id,
    ...conversationFacts(conversation),
    ...(conversation.rootMessageId !== null && { root_message_id: conversation.rootMessageId }),
  };
}

function conversationFacts({
  type,
  scope,
  subtype,
  parentConversationId,
  channelType,
}: FactsSource): ConversationFacts {
  const isPublic = scope === 'public';
  return {
    type,
    scope,
    ...(subtype !== null && { subtype }),
    is_direct: scope === 'dm',
    is_public: isPublic,
    ...(parentConversationId !== null && {
      parent_conversation_id: parentConversationId,
      parent_conversation_type: channelType,
      parent_is_public: isPublic,
    }),
  };
}
