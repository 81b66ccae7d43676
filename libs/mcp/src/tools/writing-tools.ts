import type { Tool } from './tool.js';

/** Tools that change messages. */
export const WRITING_TOOLS: readonly Tool[] = [
  {
    name: 'send_message',
    title: 'Send a message',
    description:
      'Sends a Markdown message to a conversation that you are a member of. With `parent_message_id` it is a reply in the thread of that message. With `idempotency_key`, repeating the call within 24 hours sends nothing twice.',
    effect: 'adds',
    required: ['conversation_id', 'text'],
    calls: {
      bot: {
        operation: 'sendMessage',
        fields: {
          conversation_id: 'conversation_id',
          text: 'content',
          parent_message_id: 'parent_message_id',
          metadata_json: 'metadata_json',
          idempotency_key: 'Idempotency-Key',
        },
      },
      user: {
        operation: 'sendMessageAsPerson',
        fields: {
          conversation_id: 'id',
          text: 'text',
          parent_message_id: 'parent_message_id',
          idempotency_key: 'Idempotency-Key',
        },
      },
    },
  },
  {
    name: 'edit_message',
    title: 'Edit a message',
    description: 'Replaces the text of a message that you sent. Files stay.',
    effect: 'changes',
    isIdempotent: true,
    required: ['message_id', 'text'],
    calls: {
      bot: {
        operation: 'editMessage',
        fields: { message_id: 'message_id', text: 'content', metadata_json: 'metadata_json' },
      },
      user: { operation: 'editMessageAsPerson', fields: { message_id: 'id', text: 'text' } },
    },
  },
  {
    name: 'delete_message',
    title: 'Delete a message',
    description: 'Deletes a message for everyone. It cannot be restored.',
    effect: 'changes',
    required: ['message_id'],
    calls: {
      bot: { operation: 'deleteMessage', fields: { message_id: 'message_id' } },
      user: { operation: 'deleteMessageAsPerson', fields: { message_id: 'id' } },
    },
  },
  {
    name: 'react',
    title: 'React to a message',
    description: 'Adds your reaction to a message, or removes it with `remove`.',
    effect: 'adds',
    isIdempotent: true,
    required: ['message_id', 'emoji'],
    calls: {
      bot: { operation: 'addReaction', fields: { message_id: 'message_id', emoji: 'emoji' } },
      user: { operation: 'addReactionAsPerson', fields: { message_id: 'id', emoji: 'emoji' } },
    },
    option: {
      name: 'remove',
      description: 'true: removes your reaction',
      operations: { bot: 'removeReaction', user: 'removeReactionAsPerson' },
    },
  },
];
