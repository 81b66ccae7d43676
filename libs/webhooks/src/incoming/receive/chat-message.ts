import type {
  CreatedMessage,
  MessageNotice,
  MessageRefusal,
  NewMessage,
  Refusal,
} from '@tieline/conversations';
import { cut } from '../message/cut.js';
import type { IncomingMessage } from '../message/incoming-message.js';
import { RejectedRequest } from '../incoming-webhooks.errors.js';
import type { FoundWebhook } from './find-by-token.js';

const MAX_DISPLAY_NAME = 64;

const REFUSALS: Readonly<Record<MessageRefusal, string>> = {
  unknown_conversation: 'the channel does not exist',
  not_member: 'the channel cannot be written to',
  archived: 'the channel is archived',
  unknown_parent: 'the thread does not exist',
};

/** Builds the chat message. Its author is the webhook, which needs no membership of the channel. */
export function chatMessage(webhook: FoundWebhook, message: IncomingMessage): NewMessage {
  const { text, textDerived = false, metadata, displayName, avatarUrl = webhook.avatarUrl } = message;
  return {
    spaceId: webhook.spaceId,
    conversationId: webhook.conversationId,
    author: { id: webhook.id, type: 'webhook' },
    access: 'granted',
    text,
    textDerived,
    notify: noticeOf(webhook, message),
    displayName: displayName ?? cut(webhook.name, MAX_DISPLAY_NAME, () => undefined),
    ...(metadata && { metadataJson: JSON.stringify(metadata) }),
    ...(avatarUrl !== '' && { displayAvatarUrl: avatarUrl }),
  };
}

/** Returns the id of a posted message. @throws RejectedRequest 400 when posting was refused */
export function postedId(answer: CreatedMessage | Refusal<MessageRefusal>): string {
  if ('refused' in answer) throw new RejectedRequest(400, REFUSALS[answer.refused]);
  return answer.messageId;
}

/**
 * Builds the notification settings. They travel in the event, and the worker decides who is
 * notified.
 */
export function noticeOf(
  { defaultPush }: FoundWebhook,
  { silent, severity, mentions, mentionsChannel, mentionsHere }: IncomingMessage,
): MessageNotice {
  return {
    severity,
    default_push: defaultPush,
    ...(silent !== undefined && { silent }),
    mentions,
    channel: mentionsChannel,
    here: mentionsHere,
  };
}
