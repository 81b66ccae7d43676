import { createHash } from 'node:crypto';
import type {
  CreateMessage,
  CreatedMessage,
  MessageNotice,
  MessageRefusal,
  NewMessage,
  PostMessage,
  Refused,
} from '@tieline/conversations';
import type { Db, Tx } from '@tieline/platform/database';
import { inTxOnce } from '@tieline/idempotency';
import { cut } from '../formats/fields.js';
import type { IncomingMessage } from '../formats/incoming-message.js';
import type { FoundWebhook } from './find-by-token.js';
import { Rejected } from '../incoming-webhooks.errors.js';

const MAX_DISPLAY_NAME = 64;

const REFUSALS: Readonly<Record<MessageRefusal, string>> = {
  unknown_conversation: 'the channel does not exist',
  not_member: 'the channel cannot be written to',
  archived: 'the channel is archived',
  unknown_parent: 'the thread does not exist',
};

/** What messages are posted with. */
export interface PostingTools {
  db: Db;
  createMessage: CreateMessage;
  postMessage: PostMessage;
}

/** An `Idempotency-Key` with the bytes that it stands for. */
export interface IncomingKey {
  key: string;
  body: Buffer;
}

/**
 * Posts a webhook's message into its channel (contract, Incoming webhook): the webhook is the author, whoever is a member there. With a key,
 * the same bytes within 24 hours make no second message.
 *
 * @returns the id of the message, durable, or of the first one under the key
 * @throws Rejected 400 when the channel is archived or gone; ApiError 400 for a malformed key, 409 for a key of another body
 */
export async function postIncoming(
  { db, createMessage, postMessage }: PostingTools,
  webhook: FoundWebhook,
  message: IncomingMessage,
  key?: IncomingKey,
): Promise<string> {
  const chat = chatMessage(webhook, message);
  if (key === undefined) return idOf(await postMessage.run(chat));
  const request = {
    spaceId: webhook.spaceId,
    scope: `incoming:${webhook.id}`,
    key: key.key,
    fingerprint: createHash('sha256').update(key.body).digest(),
  };
  const post = async (tx: Tx): Promise<{ messageId: string }> => ({
    messageId: idOf(await createMessage.in(tx, chat)),
  });
  const { spaceId, conversationId: place } = webhook;
  return (await inTxOnce(db, request, post, { spaceId, place })).messageId;
}

function chatMessage(webhook: FoundWebhook, message: IncomingMessage): NewMessage {
  const { text, metadata, displayName, avatarUrl = webhook.avatarUrl } = message;
  return {
    spaceId: webhook.spaceId,
    conversationId: webhook.conversationId,
    author: { id: webhook.id, type: 'webhook' },
    access: 'granted',
    text,
    notify: noticeOf(webhook, message),
    displayName: displayName ?? cut(webhook.name, MAX_DISPLAY_NAME, () => undefined),
    ...(metadata && { metadataJson: JSON.stringify(metadata) }),
    ...(avatarUrl !== '' && { displayAvatarUrl: avatarUrl }),
  };
}

/** Who should be notified (contract, Push policy). It travels in the event; the worker decides. */
function noticeOf(
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

function idOf(answer: CreatedMessage | Refused<MessageRefusal>): string {
  if ('refused' in answer) throw new Rejected(400, REFUSALS[answer.refused]);
  return answer.messageId;
}
