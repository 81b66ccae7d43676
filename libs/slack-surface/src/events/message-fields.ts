import type { AttachedFileView, ChatEvent } from '@tieline/conversations';
import { slackId } from '../ids/slack-ids.js';
import { richTextBlocks } from '../text/rich-text.js';
import { slackText } from '../text/slack-text.js';
import { tsOf } from '../ts/ts.js';
import { authorFields, authorUser } from './author.js';
import { appOf } from './event-facts.js';
import type { EventFacts } from './event-facts.js';

type Json = Record<string, unknown>;

/** A chat event of a message. */
export type MessageEvent = Extract<ChatEvent, { event_type: `MESSAGE_${string}` }>;
/** A chat event of a message that has a text. */
export type TextEvent = Extract<ChatEvent, { event_type: 'MESSAGE_CREATED' | 'MESSAGE_UPDATED' }>;

/** A message as events carry it, without its channel. */
export type MessageFields = { type: 'message'; ts: string } & Json;

/** Returns a message as events carry it. */
export function messageFields(event: TextEvent, facts: EventFacts): MessageFields {
  const { data, message, space_id: spaceId } = event;
  const { author_type: type, display_name: displayName } = message;
  const files = filesOf(event);
  return {
    type: 'message',
    ...(files.length > 0 && { subtype: 'file_share' }),
    ...authorFields({ id: data.author_id, type, appId: appOf(facts, data.author_id), displayName }),
    ...(type === 'user' && { client_msg_id: data.message_id }),
    text: slackText(data.text),
    ts: tsOf(data.sent_at),
    team: slackId('space', spaceId),
    blocks: richTextBlocks(data.text, data.message_id),
    ...threadFields(event, facts),
    ...(files.length > 0 && { files, upload: false }),
  };
}

/** Returns `thread_ts` of a reply, and the author of its root message; nothing outside threads. */
export function threadFields({ thread_id: rootId }: MessageEvent, { messages }: EventFacts): Json {
  const root = rootId === '' ? undefined : messages.get(rootId);
  return root ? { thread_ts: root.ts, parent_user_id: authorUser(root.authorId) } : {};
}

/** Returns the files of a message. */
export function filesOf({ message, data }: TextEvent): Json[] {
  if (message.attachment_status !== 'attached') return [];
  return (message.attachments as AttachedFileView[]).map((file) => ({
    id: slackId('file', file.file_id),
    created: file.created_at_unix,
    timestamp: file.created_at_unix,
    name: file.file_name,
    title: file.file_name,
    mimetype: file.mime_type,
    filetype: /\.([^.]+)$/.exec(file.file_name)?.[1]?.toLowerCase() ?? '',
    user: authorUser(data.author_id),
    size: file.file_size,
    mode: 'hosted',
    is_external: false,
    ...(file.width > 0 && { original_w: file.width, original_h: file.height }),
  }));
}
