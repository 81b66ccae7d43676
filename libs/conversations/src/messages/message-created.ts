import type { OutboxRecord } from '@tieline/delivery';
import type { EventPlace } from '../conversation.view.js';
import type { ChatEvent, MessageNotice } from '../events/chat-event.js';
import { chatEvent } from '../events/make-chat-event.js';
import type { Attachments } from '../ports/message-attachments.js';
import type { Message } from './message.queries.js';
import { messageData, messageView } from './message.view.js';

type Given = 'id' | 'authorId' | 'authorType' | 'text' | 'metadataJson' | 'displayName' | 'displayAvatarUrl';

/** What the statements that post a message put into the outbox; ordinary messages lack the optional fields. */
interface PostedMessage extends Pick<Message, Given | 'msgIndex' | 'sentAt'> {
  mentions?: string[] | null;
  threadId?: string | null;
  notify: MessageNotice | null;
  attachments?: Attachments | null;
  conversation: PostedIn;
}

/** The last three are of threads only; public conversations come without bots. */
type PostedIn = Pick<EventPlace, 'id' | 'type' | 'subtype' | 'scope'> & { botIds: string[] | null } & Partial<
    Pick<EventPlace, 'rootMessageId' | 'channelId' | 'channelType'>
  >;

/** The chat event of an outbox record whose type is one of chat events. */
export function chatEventOf({ eventId, spaceId, payload }: OutboxRecord): ChatEvent {
  const stored = payload as ChatEvent | { posted: PostedMessage };
  return 'posted' in stored ? messageCreated(eventId, spaceId, stored.posted) : stored;
}

function messageCreated(
  eventId: string,
  spaceId: string,
  { conversation, mentions = null, threadId = null, notify, attachments, ...posted }: PostedMessage,
): ChatEvent {
  const place = placeOf(spaceId, conversation);
  const unchanged = { editedAt: null, deletedAt: null, reactions: null };
  const message: Message = { ...posted, ...unchanged, conversationId: place.id, mentions, threadId };
  return chatEvent(
    eventId,
    place,
    { actor: { id: message.authorId, type: message.authorType }, at: message.sentAt },
    {
      event_type: 'MESSAGE_CREATED',
      data: messageData(message, place),
      message: messageView(message, attachments ?? undefined),
      notify: notify ?? undefined,
    },
  );
}

function placeOf(
  spaceId: string,
  { botIds, channelId, channelType, rootMessageId, ...own }: PostedIn,
): EventPlace {
  return {
    ...own,
    spaceId,
    parentConversationId: channelId ?? null,
    rootMessageId: rootMessageId ?? null,
    channelId: channelId ?? own.id,
    channelType: channelType ?? own.type,
    botIds: botIds ?? [],
  };
}
