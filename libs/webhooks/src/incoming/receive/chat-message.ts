import type {
  CreatedMessage,
  MessageNotice,
  MessageRefusal,
  NewMessage,
  Refusal,
} from '@tieline/conversations';
import { cut } from '../formats/cut.js';
import type { IncomingMessage } from '../formats/incoming-message.js';
import { Rejected } from '../incoming-webhooks.errors.js';
import type { FoundWebhook } from './find-by-token.js';

const MAX_DISPLAY_NAME = 64;

const REFUSALS: Readonly<Record<MessageRefusal, string>> = {
  unknown_conversation: 'the channel does not exist',
  not_member: 'the channel cannot be written to',
  archived: 'the channel is archived',
  unknown_parent: 'the thread does not exist',
};

/** A webhook's message for its channel: the webhook is the author, whoever is a member there. */
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

/** The id of a posted message. @throws Rejected 400 when it was refused */
export function postedId(answer: CreatedMessage | Refusal<MessageRefusal>): string {
  if ('refused' in answer) throw new Rejected(400, REFUSALS[answer.refused]);
  return answer.messageId;
}

/** Who should be notified (contract, Push policy). It travels in the event; the worker decides. */
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
