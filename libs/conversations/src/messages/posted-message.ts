import type { OutboxRecord } from '@tieline/delivery';
import type { EventPlace } from '../events/event-conversation.js';
import type { ChatEvent, MessageNotice } from '../events/chat-event.js';
import { chatEvent } from '../events/make-chat-event.js';
import type { Attachments } from '../ports/message-attachments.js';
import type { Message } from './message.queries.js';
import { messageData, messageView } from './message.view.js';

type RequiredField = 'id' | 'authorId' | 'authorType' | 'text' | 'msgIndex' | 'sentAt';
type OptionalField = 'metadataJson' | 'displayName' | 'displayAvatarUrl' | 'textDerived';

/**
 * A posted message as the posting statements store it in the outbox. Fields without a value are
 * absent. Earlier versions stored them as null.
 */
interface PostedMessage extends Pick<Message, RequiredField>, Partial<Pick<Message, OptionalField>> {
  mentions?: string[] | null;
  threadId?: string | null;
  sourceJson?: string | null;
  notify?: MessageNotice | null;
  attachments?: Attachments | null;
  conversation: PostedConversation;
}

/** The last three fields are set for threads only. Public conversations have no `botIds`. */
type PostedConversation = Pick<EventPlace, 'id' | 'type' | 'scope'> & {
  botIds?: string[] | null;
} & Partial<Pick<EventPlace, 'subtype' | 'rootMessageId' | 'channelId' | 'channelType'>>;

/** Returns the chat event of a stored MESSAGE_CREATED. Earlier versions stored it whole. */
export function readPosted({ eventId, spaceId, payload }: OutboxRecord): ChatEvent {
  const stored = payload as ChatEvent | { posted: PostedMessage };
  return 'posted' in stored ? messageCreated(eventId, spaceId, stored.posted) : stored;
}

function messageCreated(eventId: string, spaceId: string, posted: PostedMessage): ChatEvent {
  const place = placeOf(spaceId, posted.conversation);
  const message = messageOf(posted);
  return chatEvent(
    eventId,
    place,
    { actor: { id: message.authorId, type: message.authorType }, at: message.sentAt },
    {
      event_type: 'MESSAGE_CREATED',
      data: messageData(message, place),
      message: messageView(message, posted.attachments ?? undefined),
      notify: posted.notify ?? undefined,
    },
  );
}

// Copies field by field, because this runs for every message and rest destructuring is slow.
function messageOf(posted: PostedMessage): Message {
  return {
    id: posted.id,
    conversationId: posted.conversation.id,
    authorId: posted.authorId,
    authorType: posted.authorType,
    text: posted.text,
    metadataJson: posted.metadataJson ?? null,
    displayName: posted.displayName ?? null,
    displayAvatarUrl: posted.displayAvatarUrl ?? null,
    textDerived: posted.textDerived ?? null,
    sourceJson: posted.sourceJson ?? null,
    msgIndex: posted.msgIndex,
    sentAt: posted.sentAt,
    mentions: posted.mentions ?? null,
    threadId: posted.threadId ?? null,
    editedAt: null,
    deletedAt: null,
    reactions: null,
    pin: null,
  };
}

function placeOf(spaceId: string, conversation: PostedConversation): EventPlace {
  const { id, type, subtype, scope, channelId, channelType, rootMessageId, botIds } = conversation;
  return {
    spaceId,
    id,
    type,
    subtype: subtype ?? null,
    scope,
    parentConversationId: channelId ?? null,
    rootMessageId: rootMessageId ?? null,
    channelId: channelId ?? id,
    channelType: channelType ?? type,
    botIds: botIds ?? [],
  };
}
