export { ChatPayloads } from '../chat-events.module.js';
export type { Member } from '../actors.js';
export { archiveConversation } from '../channels/archive-conversation.js';
export { createConversation } from '../channels/create-conversation.js';
export type { EventConversation } from '../events/conversation-context.view.js';
export { addMember } from '../members/add-member.js';
export { mentionTokens } from '../messages/mentions/mentions.js';
export { ChatFixture } from './chat-fixture.js';
export { createMessage, deleteMessage, editMessage, supply, withStubs } from './stubs.js';
