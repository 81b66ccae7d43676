import type { Schema } from '../rest/plain-schema.js';
import type { Call, Tool } from './tool.js';

interface MessageWithFiles {
  msg_index: number;
  attachments: object[];
}

const HISTORY_FIELDS = {
  conversation_id: 'conversation_id',
  before_msg_index: 'before_msg_index',
  after_msg_index: 'after_msg_index',
  limit: 'limit',
};
const forBoth = (call: Call): Tool['calls'] => ({ bot: call, user: call });
const history = (more: Record<string, string> = {}): Tool['calls'] =>
  forBoth({ operation: 'listMessages', fields: { ...HISTORY_FIELDS, ...more } });

/** Tools that change nothing. */
export const READING_TOOLS: readonly Tool[] = [
  {
    name: 'list_conversations',
    title: 'List conversations',
    description:
      'Lists the channels and direct conversations that you can read. Use it to find the id of a conversation. Pages: pass `next_cursor` as `cursor` until it is empty.',
    effect: 'reads',
    required: [],
    calls: {
      bot: { operation: 'listConversations', fields: { cursor: 'cursor', limit: 'limit' } },
      user: { operation: 'listConversationsAsPerson', fields: { cursor: 'cursor', limit: 'limit' } },
    },
  },
  {
    name: 'read_conversation',
    title: 'Read a conversation',
    description:
      'Returns messages of a conversation in ascending order, the newest ones by default. Pages: while `has_more_before` is true, pass the smallest `msg_index` as `before_msg_index`. Replies are not included: use read_thread with a message that has a `thread_id` or `reply_count`.',
    effect: 'reads',
    required: ['conversation_id'],
    calls: history({ around_msg_index: 'around_msg_index', updated_since: 'updated_since' }),
  },
  {
    name: 'read_thread',
    title: 'Read a thread',
    description:
      'Returns the replies to a message, in ascending order, the newest ones by default. `thread_id` is the id of the message that was replied to, and `conversation_id` that of its conversation. Pages as read_conversation does.',
    effect: 'reads',
    required: ['conversation_id', 'thread_id'],
    calls: history({ thread_id: 'thread_id' }),
  },
  {
    name: 'list_files',
    title: 'List files',
    description:
      'Returns the files of the newest messages of a conversation. `limit` counts messages, not files. Pages: while `has_more_before` is true, pass `next_before_msg_index` as `before_msg_index`.',
    effect: 'reads',
    required: ['conversation_id'],
    calls: forBoth({
      operation: 'listMessages',
      fields: { conversation_id: 'conversation_id', before_msg_index: 'before_msg_index', limit: 'limit' },
    }),
    result: { schema: filesSchema, of: filesOf },
  },
  {
    name: 'get_file',
    title: 'Get a file',
    description:
      'Returns a link to download a file of a message. The link works for 5 minutes, without a token.',
    effect: 'reads',
    required: ['conversation_id', 'file_id'],
    calls: {
      bot: {
        operation: 'getFileDownloadUrl',
        fields: { conversation_id: 'conversation_id', file_id: 'file_id' },
      },
      user: { operation: 'getFileDownloadUrlAsPerson', fields: { file_id: 'file_id' } },
    },
  },
];

function filesSchema({ properties = {} }: Schema): Schema {
  const { items } = properties.messages as { items: Schema };
  return {
    type: 'object',
    properties: {
      files: items.properties?.attachments as Schema,
      has_more_before: properties.has_more_before as Schema,
      next_before_msg_index: { type: 'integer', description: 'absent if no message was read' },
    },
    required: ['files', 'has_more_before'],
  };
}

function filesOf({ messages, has_more_before }: Record<string, unknown>): Record<string, unknown> {
  const read = messages as MessageWithFiles[];
  return {
    files: read.flatMap(({ attachments }) => attachments),
    has_more_before,
    ...(read[0] && { next_before_msg_index: read[0].msg_index }),
  };
}
