export { addMember, joinConversation } from './members/add-member.js';
export type { AddRefusal, MembershipChange } from './members/add-member.js';
export { appendChatEvent } from './events/append-event.js';
export { archiveConversation } from './channels/archive-conversation.js';
export type { ArchiveRefusal } from './channels/archive-conversation.js';
export { botDmRule, botMessageRule, botWriteRule } from './access/bot-rates.js';
export { BotRateSettings } from './conversations.settings.js';
export { CHAT_EVENT_TYPES, isChatEventType, MEMBERS_CHANGED } from './events/chat-event.js';
export type {
  ChatEvent,
  ChatEventType,
  ConversationContext,
  ConversationData,
  ConversationFacts,
  ConversationScope,
  ConversationType,
  DeletedMessageData,
  EventConversation,
  MembersChanged,
  MemberType,
  MessageData,
  MessageNotice,
  ReactionData,
} from './events/chat-event.js';
export type { AttachmentStatus, AuthorType, MessageView } from './events/shown-message.js';
export { NotificationsModule, NotificationsWorkerModule } from './notifications/notifications.module.js';
export { VAPID_PRIVATE_KEY } from './notifications/push/vapid-keys.js';
export { readContextMessages } from './history/context-messages.queries.js';
export type { ContextMessage, ContextRequest } from './history/context-messages.queries.js';
export {
  findConversation,
  isMember,
  lockConversation,
  lockConversationOfMessage,
  membersOf,
} from './conversation.queries.js';
export type { Conversation, ConversationMember, LockStrength } from './conversation.queries.js';
export { conversationContext, conversationView, eventConversation } from './conversation.view.js';
export type { ConversationView, Membership } from './conversation.view.js';
export { ClientStreamModule } from './live/client-stream.module.js';
export { peopleHere } from './live/client-stream.queries.js';
export { ConversationsModule } from './conversations.module.js';
export { chatEventOf } from './messages/message-created.js';
export { createConversation } from './channels/create-conversation.js';
export type { Member, NewConversation } from './channels/create-conversation.js';
export { CreateMessage } from './messages/create-message.js';
export type {
  Actor,
  CreatedMessage,
  MessageRefusal,
  NewMessage,
  Refused,
} from './messages/create-message.js';
export { DeleteMessage } from './messages/delete-message.js';
export type { DeletionRefusal, MessageDeletion } from './messages/delete-message.js';
export { EditGuard } from './ports/edit-guard.js';
export { BotDirectory } from './ports/bot-directory.js';
export { FeatureLiveSource } from './ports/feature-live-source.js';
export { EditMessage } from './messages/edit-message.js';
export type { EditedMessage, EditRefusal, MessageEdit } from './messages/edit-message.js';
export { chatEnvelope, envelope } from './events/event-envelope.js';
export type { EnvelopeFields } from './events/event-envelope.js';
export type { LiveReceiver } from './live/live-audience.js';
export { LiveEvents } from './live/live-events.js';
export type { LiveEvent, LiveMemberId, LiveMessage } from './live/live-events.js';
export { LiveFanoutModule } from './live/live-fanout.module.js';
export { LiveHub } from './live/live-hub.js';
export type { LiveView } from './live/live-view.js';
export { MemberDirectory } from './members/member-directory.js';
export { findMentions, mentionsChannel, mentionsHere, mentionTokens } from './messages/mentions.js';
export { MessageAttachments } from './ports/message-attachments.js';
export type { Attachments } from './ports/message-attachments.js';
export { MessagesModule } from './messages/messages.module.js';
export { messageFor, MetadataVisibility } from './ports/metadata-visibility.js';
export type { Viewer, VisibleMetadata } from './ports/metadata-visibility.js';
export { findMessage } from './messages/message.queries.js';
export type { Message } from './messages/message.queries.js';
export { messageView } from './messages/message.view.js';
export { openDirectConversation } from './dm/open-direct-conversation.js';
export type { DirectPair } from './dm/open-direct-conversation.js';
export { resolveReply } from './messages/threads/open-thread.js';
export type { ReplyTarget } from './messages/threads/open-thread.js';
export { PostMessage } from './messages/post-message.js';
export { reactToMessage } from './messages/reactions/react-to-message.js';
export type { Reaction, ReactionRefusal } from './messages/reactions/react-to-message.js';
export { botMayRead, personMayRead, readingAccess } from './access/reading-access.js';
export type { ReadingAccess } from './access/reading-access.js';
export { removeMember } from './members/remove-member.js';
export type { MemberRemoval, RemoveRefusal } from './members/remove-member.js';
export { sendingAccess } from './access/sending-access.js';
export type { SendingAccess, SendingRefusal, SendingRequest } from './access/sending-access.js';
