import type { Place, MessageView } from '@tieline/conversations';
import type { SlackCall } from '../dispatcher/slack-method.js';
import type { MessageContent } from './message-content.js';

/** Where and what to post. */
export interface PostingTarget {
  readonly content: MessageContent;
  readonly conversation: Place;
  /** Root message of the thread to post in. */
  readonly parentMessageId: string | undefined;
}

/** A posted message. */
export interface PostedMessage {
  readonly messageId: string;
  /** RFC 3339. */
  readonly sentAt: string;
}

/** Posts a message as a person. Messages of people have a text only. */
export async function postAsPerson(
  { rest, warn }: Pick<SlackCall, 'rest' | 'warn'>,
  { content, conversation, parentMessageId }: PostingTarget,
): Promise<PostedMessage> {
  warnAboutParts(content, warn);
  const { message_id: messageId } = await rest<{ message_id: string }>(
    'POST',
    `/api/v1/client/conversations/${conversation.id}/messages`,
    {
      body: {
        text: content.content,
        ...(parentMessageId !== undefined && { parent_message_id: parentMessageId }),
      },
    },
  );
  const { message } = await rest<{ message: MessageView }>('GET', `/api/v1/client/messages/${messageId}`);
  return { messageId, sentAt: message.sent_at };
}

/** Warns about what a message of a person cannot have. */
export function warnAboutParts({ source }: MessageContent, warn: (text: string) => void): void {
  for (const part of ['blocks', 'attachments', 'metadata'] as const)
    if (source[part]) warn(`${part}: only bots can send them; the text was sent`);
}
