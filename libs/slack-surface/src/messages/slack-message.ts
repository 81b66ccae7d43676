import type { AttachedFileView, MessageView } from '@tieline/conversations';
import { slackId } from '../ids/slack-ids.js';
import { emojiName } from './emoji.js';
import { tsOf } from '../ts/ts.js';
import type { MessageSource } from './message-source.js';
import { authorFields } from '../events/author.js';
import { slackText } from '../text/slack-text.js';

/** What surrounds a message. */
export interface MessageSurroundings {
  readonly spaceId: string;
  /** The channel in Slack's spelling, also for replies. */
  readonly channel: string;
  /** `ts` of the root message, for replies and for roots with replies. */
  readonly threadTs?: string | undefined;
  readonly source?: MessageSource | undefined;
  readonly withMetadata?: boolean;
}

type Author = Pick<MessageView, 'author_id' | 'author_type' | 'display_name' | 'display_avatar_url'>;

/** Returns a message as Slack shows it in lists and events. */
export function slackMessage(message: MessageView, around: MessageSurroundings): Record<string, unknown> {
  const { source, threadTs, spaceId, channel } = around;
  const ts = tsOf(message.sent_at);
  if (message.deleted_at !== undefined)
    return {
      type: 'message',
      subtype: 'tombstone',
      ts,
      text: 'This message was deleted.',
      ...thread(message, threadTs),
    };
  return {
    type: 'message',
    ...(source?.subtype && { subtype: source.subtype }),
    ...author(message),
    text: source?.text ?? slackText(message.text),
    ts,
    team: slackId('space', spaceId),
    ...(message.author_type === 'user' && { client_msg_id: message.id }),
    ...(source?.blocks && { blocks: source.blocks }),
    ...(source?.attachments && { attachments: source.attachments }),
    ...(around.withMetadata && source?.metadata && { metadata: source.metadata }),
    ...thread(message, threadTs),
    ...(message.edited_at !== undefined && {
      edited: { user: slackId('user', message.author_id), ts: tsOf(message.edited_at) },
    }),
    ...(message.reactions.length > 0 && { reactions: slackReactions(message) }),
    ...(message.pinned_at !== undefined && { pinned_to: [channel] }),
    ...(message.attachments.length > 0 && {
      files: (message.attachments as AttachedFileView[]).map(slackFile),
    }),
    ...(message.permalink !== undefined && { permalink: message.permalink }),
  };
}

/** Returns the fields that say who wrote a message. */
export function author({
  author_id: id,
  author_type: type,
  display_name: displayName,
  display_avatar_url: icon,
}: Author): Record<string, unknown> {
  return {
    ...authorFields({ id, type, displayName }),
    ...(icon !== undefined && { icons: { image_48: icon } }),
  };
}

/** Returns the reactions of a message. */
function slackReactions({ reactions }: Pick<MessageView, 'reactions'>): object[] {
  return reactions.map(({ emoji, user_ids: users }) => ({
    name: emojiName(emoji),
    users: users.map((id) => slackId('user', id)),
    count: users.length,
  }));
}

function thread(
  { reply_count: replies = 0, last_reply_at: latest }: MessageView,
  threadTs: string | undefined,
): object {
  return {
    ...(threadTs !== undefined && { thread_ts: threadTs }),
    ...(replies > 0 && { reply_count: replies, ...(latest !== undefined && { latest_reply: tsOf(latest) }) }),
  };
}

function slackFile(file: AttachedFileView): object {
  return {
    id: slackId('file', file.file_id),
    name: file.file_name,
    title: file.file_name,
    mimetype: file.mime_type,
    size: file.file_size,
    mode: 'hosted',
  };
}
