export { addMember, joinConversation } from './members/add-member.js';
export { archiveConversation } from './channels/archive-conversation.js';
export { botDmRule, botMessageRule, botWriteRule } from './access/bot-rates.js';
export { PersonRates } from './access/person-rates.js';
export { COUNT_OPEN_CHANNELS } from './channels/channels.statements.js';
export {
  BotRateSettings,
  ChannelLimitSettings,
  MemberEventSettings,
  PersonRateSettings,
} from './conversations.settings.js';
export { CHAT_EVENT_TYPES } from './events/chat-event.js';
export { PublicEvents } from './events/public-events.js';
export type {
  ChatEvent,
  ConversationContext,
  EventConversation,
  MessageNotice,
} from './events/chat-event.js';
export type { AttachmentStatus, MessageView } from './events/shown-message.js';
export { NotificationsModule, NotificationsWorkerModule } from './notifications/notifications.module.js';
export { canPush } from './notifications/push-policy.js';
export { NoticesWorkerModule } from './notices/notices-worker.module.js';
export { VAPID_PRIVATE_KEY } from './notifications/push/vapid-keys.js';
export { readContextMessages } from './messages/history/context-messages.queries.js';
export type { ContextRequest } from './messages/history/context-messages.queries.js';
export type { ContextMessage } from './messages/history/history.statements.js';
export { findConversation, isMember, lockConversationOfMessage } from './conversation.queries.js';
export type { Conversation } from './conversation.queries.js';
export { listConversationsOfBot } from './channels/conversation-list.queries.js';
export {
  ConversationAnswer,
  conversationContext,
  ConversationsPage,
  conversationView,
} from './conversation.view.js';
export { ClientStreamModule } from './live/stream/client-stream.module.js';
export { ConversationsModule } from './conversations.module.js';
export { chatEventOf } from './messages/message-created.js';
export { createConversation } from './channels/create-conversation.js';
export type { Member } from './channels/create-conversation.js';
export { requireChannels } from './channels/require-channels.js';
export { CreateMessage } from './messages/create-message.js';
export type {
  Actor,
  CreatedMessage,
  MessageRefusal,
  NewMessage,
  Refusal,
} from './messages/create-message.js';
export { invalidEmoji, tooManyPins, tooManyReactions } from './conversations.errors.js';
export {
  IsFileList,
  IsNotTooManyFiles,
  NamesEachFileOnce,
  NamesFiles,
} from './messages/dto/file-list-rules.js';
export { DeleteMessage } from './messages/delete-message.js';
export type { DeletionRefusal } from './messages/delete-message.js';
export { EditGuard } from './ports/edit-guard.js';
export { BotDirectory } from './ports/bot-directory.js';
export { FilesOfPeople } from './ports/files-of-people.js';
export type { BindFiles } from './ports/files-of-people.js';
export { FeatureLiveSource } from './ports/feature-live-source.js';
export { EditMessage } from './messages/edit-message.js';
export type { EditRefusal } from './messages/edit-message.js';
export { chatEnvelope, envelope, eventHead } from './events/event-envelope.js';
export { AttachedFileView } from './events/attached-file.view.js';
export { SENT_CHAT_EVENTS } from './events/chat-event.view.js';
export { ConversationContextView } from './events/conversation-context.view.js';
export { EventEnvelope } from './events/event-envelope.view.js';
export { STREAMED_OF_CHAT } from './live/live-event.view.js';
export { LiveEvents } from './live/live-events.js';
export type { LiveEvent, LiveMessage } from './live/live-events.js';
export { LiveFanoutModule } from './live/live-fanout.module.js';
export { MemberDirectory } from './members/member-directory.js';
export { mentionsChannel, mentionsHere, mentionTokens } from './messages/mentions/mentions.js';
export { MessageAttachments } from './ports/message-attachments.js';
export type { Attachments } from './ports/message-attachments.js';
export { MessagesModule } from './messages/messages.module.js';
export { MetadataVisibility } from './ports/metadata-visibility.js';
export type { Viewer, VisibleMetadata } from './ports/metadata-visibility.js';
export { findMessage } from './messages/message.queries.js';
export { MessageAnswer, PinsAnswer } from './messages/message.view.js';
export type { Message } from './messages/message.queries.js';
export { openDirectConversation } from './dm/open-direct-conversation.js';
export { resolveReply } from './messages/threads/open-thread.js';
export type { ReplyTarget } from './messages/threads/open-thread.js';
export { PostMessage } from './messages/posting/post-message.js';
export { normalizeEmoji } from './messages/reactions/emoji.js';
export { reactToMessage } from './messages/reactions/react-to-message.js';
export type { Reaction, ReactionRefusal } from './messages/reactions/react-to-message.js';
export { ShownMessages } from './messages/history/shown-messages.js';
export { PinMessage } from './messages/pins/pin-message.js';
export type { PinRefusal } from './messages/pins/pin-message.js';
export { listPins } from './messages/pins/pins.queries.js';
export { requireReadable } from './access/require-readable.js';
export { readingAccess } from './access/reading-access.js';
export { removeMember } from './members/remove-member.js';
export { sendingAccess } from './access/sending-access.js';
export type { SendingRefusal } from './access/sending-access.js';
