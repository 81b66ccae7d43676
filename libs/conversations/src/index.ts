export { addMember, joinConversation } from './add-member.js';
export type { AddRefusal, MembershipChange } from './add-member.js';
export { appendChatEvent } from './append-event.js';
export { archiveConversation } from './archive-conversation.js';
export type { ArchiveRefusal } from './archive-conversation.js';
export { botDmRule, botMessageRule, botWriteRule } from './bot-rates.js';
export { registerBotReach } from './bot-reach.js';
export type { BotReach } from './bot-reach.js';
export { CHAT_EVENT_TYPES, isChatEventType, MEMBERS_CHANGED } from './chat-event.js';
export type {
  AttachmentStatus,
  AuthorType,
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
  MessageView,
  ReactionData,
  ReactionView,
} from './chat-event.js';
export { NotificationsModule, NotificationsWorkerModule } from './notifications/notifications.module.js';
export { readContextMessages } from './context-messages.queries.js';
export type { ContextMessage, ContextRequest } from './context-messages.queries.js';
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
export { ClientStreamModule } from './client-stream.module.js';
export { peopleHere } from './client-stream.queries.js';
export { ConversationsModule } from './conversations.module.js';
export { createConversation } from './create-conversation.js';
export type { Member, NewConversation } from './create-conversation.js';
export { createMessage } from './create-message.js';
export type { Actor, CreatedMessage, MessageRefusal, NewMessage, Refused } from './create-message.js';
export { deleteMessage } from './delete-message.js';
export type { DeletionRefusal, MessageDeletion } from './delete-message.js';
export { registerEditGuard } from './edit-guard.js';
export type { EditGuard } from './edit-guard.js';
export { editMessage } from './edit-message.js';
export type { EditedMessage, EditRefusal, MessageEdit } from './edit-message.js';
export { chatEnvelope, envelope } from './event-envelope.js';
export type { EnvelopeFields } from './event-envelope.js';
export type { LiveReceiver } from './live-audience.js';
export { LiveEvents } from './live-events.js';
export type { LiveEvent, LiveMemberId, LiveMessage } from './live-events.js';
export { LiveFanoutModule } from './live-fanout.module.js';
export { LiveHub } from './live-hub.js';
export { registerLiveSource } from './live-sources.js';
export type { LiveSource } from './live-sources.js';
export type { LiveView } from './live-view.js';
export { findMembersOfSpace, registerMemberLookup } from './member-directory.js';
export type { MemberLookup } from './member-directory.js';
export { findMentions, mentionsChannel, mentionsHere, mentionTokens } from './mentions.js';
export { registerMessageAttachments } from './message-attachments.js';
export type { Attachments, MessageAttachments } from './message-attachments.js';
export { messageFor, registerMetadataFilter } from './message-visibility.js';
export type { MetadataFilter, Viewer } from './message-visibility.js';
export { findMessage } from './message.queries.js';
export type { Message } from './message.queries.js';
export { messageView } from './message.view.js';
export { openDirectConversation } from './open-direct-conversation.js';
export type { DirectPair } from './open-direct-conversation.js';
export { resolveReply } from './open-thread.js';
export type { ReplyTarget } from './open-thread.js';
export { postMessage } from './post-message.js';
export { reactToMessage } from './react-to-message.js';
export type { Reaction, ReactionRefusal } from './react-to-message.js';
export { botMayRead, personMayRead, readingAccess } from './reading-access.js';
export type { ReadingAccess } from './reading-access.js';
export { removeMember } from './remove-member.js';
export type { MemberRemoval, RemoveRefusal } from './remove-member.js';
export { sendingAccess } from './sending-access.js';
export type { SendingAccess, SendingRefusal, SendingRequest } from './sending-access.js';
