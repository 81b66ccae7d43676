import type { Conversation } from '../conversation.queries.js';
import type {
  ConversationContextView,
  ConversationFacts,
  EventConversation,
} from './conversation-context.view.js';
import type { ConversationDataView } from './types/conversation-data.view.js';

/** The columns that conversation facts are derived from. */
type FactsSource = Pick<Conversation, 'type' | 'scope' | 'subtype' | 'parentConversationId' | 'channelType'>;

/** Returns `conversation_context` of message events and the DM stream. */
export function conversationContext(
  conversation: FactsSource & Pick<Conversation, 'id'>,
): ConversationContextView {
  return { conversation_id: conversation.id, ...conversationFacts(conversation) };
}

/** Returns the fields of a conversation in `data` of CONVERSATION_* events. */
export function conversationData({ id, name, type, createdBy }: Conversation): ConversationDataView {
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
