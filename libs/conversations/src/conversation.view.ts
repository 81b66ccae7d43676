import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import type {
  ConversationContext,
  ConversationData,
  ConversationFacts,
  ConversationScope,
  EventConversation,
} from './events/chat-event.js';
import type { Conversation } from './conversation.queries.js';

/** A conversation as people's clients receive it. */
export class ConversationView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' })
  id: string;

  @Field({ example: '01939d3e-0001-7aaa-9c1d-2f6a5b1c0d41' })
  space_id: string;

  @Field({ example: 'channel', description: 'chat, channel, voice or thread' })
  type: string;

  @Field({ example: 'notes', optional: true })
  subtype?: string;

  @Field({ enum: ['dm', 'public', 'private'], example: 'public' })
  scope: ConversationScope;

  @Field({ example: 'releases' })
  name: string;

  @Field({ example: false })
  is_direct: boolean;

  @Field({ example: true })
  is_public: boolean;

  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d40',
    optional: true,
    description: 'threads only: their channel',
  })
  parent_conversation_id?: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42', optional: true, description: 'threads only' })
  root_message_id?: string;

  @Field({ example: '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41' })
  created_by: string;

  @Field({ example: '2026-01-31T09:00:00.123456000Z' })
  created_at: string;

  @Field({ example: '2026-02-28T09:00:00.123456000Z', nullable: true })
  archived_at: string | null;

  @Field({
    example: ['01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41', '01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41'],
    optional: true,
    description: 'both members; direct chats only',
  })
  member_ids?: string[];

  @Field({ example: true, description: 'whether the caller is a member; for a thread, of its channel' })
  is_member: boolean;

  @Field({ example: false, description: 'whether the caller muted it' })
  muted: boolean;
}

export class ConversationAnswer extends OkAnswer {
  @Field({ type: ConversationView })
  conversation: ConversationView;
}

export class ConversationsPage extends PageAnswer {
  @Field({ type: ConversationView, isArray: true })
  conversations: ConversationView[];
}

/** The reader's membership in a conversation. */
export interface Membership {
  isMember: boolean;
  muted: boolean;
}

/** Returns a conversation as its reader sees it. */
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

/** The columns that conversation facts are derived from. */
type FactsSource = Pick<Conversation, 'type' | 'scope' | 'subtype' | 'parentConversationId' | 'channelType'>;

/** Returns `conversation_context` of message events and the DM stream. */
export function conversationContext(
  conversation: FactsSource & Pick<Conversation, 'id'>,
): ConversationContext {
  return { conversation_id: conversation.id, ...conversationFacts(conversation) };
}

/** Returns `data` of CONVERSATION_CREATED and CONVERSATION_ARCHIVED. */
export function conversationData({ id, name, type, createdBy }: Conversation): ConversationData {
  return { conversation_id: id, name, type, created_by: createdBy };
}

/** The columns of a conversation that chat events are built from. */
export type EventPlace = FactsSource &
  Pick<Conversation, 'spaceId' | 'id' | 'rootMessageId' | 'channelId' | 'botIds'>;

/** Returns the conversation as a chat event carries it. */
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
