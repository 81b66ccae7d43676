import { canPush } from '@tieline/conversations';
import type { CreateMessage, EditMessage, NewMessage } from '@tieline/conversations';
import type { RowOf, Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import { isVisible } from '../formats/incoming-message.js';
import type { IncomingMessage } from '../formats/incoming-message.js';
import { fitToLimit } from '../formats/rich-size.js';
import { isMoreSevere, mostSevere } from '../formats/severity.js';
import { RejectedRequest } from '../incoming-webhooks.errors.js';
import { chatMessage, noticeOf, postedId } from '../receive/chat-message.js';
import type { FoundWebhook } from '../receive/find-by-token.js';
import { CLOSE_ALERT, STORE_ALERT, LOCK_ALERT } from './keyed.statements.js';
import { postInThread } from './post-in-thread.js';
import { resolvedEdit } from './resolved-edit.js';

/** Services that write keyed messages. */
export interface KeyedTools {
  createMessage: CreateMessage;
  editMessage: EditMessage;
}

/** Whether the message has a key from its sender. */
export function isKeyed({ threadKey, dedupKey }: IncomingMessage): boolean {
  return threadKey !== undefined || dedupKey !== undefined;
}

/**
 * Posts a message with its keys in the caller's transaction. With a `dedup_key`, edits the open
 * message of that key. With a `thread_key`, posts into the thread of that key. Concurrent requests
 * with the same key are serialized.
 * @returns the id of the message, or undefined when the message resolves an alert that is not open
 * and has no text
 */
export async function postKeyed(
  tx: Tx,
  tools: KeyedTools,
  webhook: FoundWebhook,
  message: IncomingMessage,
): Promise<string | undefined> {
  const { dedupKey, resolved } = message;
  if (dedupKey === undefined) return post(tx, tools, webhook, message);
  return resolved === true
    ? resolve(tx, tools, webhook, message, dedupKey)
    : openOrRepeat(tx, tools, webhook, message, dedupKey);
}

async function openOrRepeat(
  tx: Tx,
  tools: KeyedTools,
  webhook: FoundWebhook,
  message: IncomingMessage,
  key: string,
): Promise<string> {
  const { spaceId, id, conversationId } = webhook;
  const alert = [spaceId, id, key];
  const newId = uuidv7();
  const { severity } = message;
  const pushed = canPush(noticeOf(webhook, message)) ? severity : null;
  const [open] = await tx.query(LOCK_ALERT, [...alert, newId, conversationId, severity, pushed]);
  if (open && open.messageId !== newId) {
    if (await editOpenMessage(tx, tools, webhook, message, open)) {
      const severities = [
        mostSevere([open.severity, severity]),
        mostSevere([open.pushedSeverity, pushed]) ?? null,
      ];
      await tx.query(STORE_ALERT, [
        ...alert,
        open.messageId,
        conversationId,
        ...severities,
        open.repeatCount,
      ]);
      return open.messageId;
    }
    await tx.query(STORE_ALERT, [...alert, newId, conversationId, severity, pushed, 1]);
  }
  return post(tx, tools, webhook, withCount(message, 1), newId);
}

/**
 * Edits the open message. Returns false if it was deleted or the webhook now posts to another
 * channel.
 */
async function editOpenMessage(
  tx: Tx,
  tools: KeyedTools,
  webhook: FoundWebhook,
  message: IncomingMessage,
  open: RowOf<typeof LOCK_ALERT>,
): Promise<boolean> {
  if (open.conversationId !== null && open.conversationId !== webhook.conversationId) return false;
  const notice = noticeOf(webhook, message);
  const lastSeverity = canPush(notice) ? open.pushedSeverity : open.severity;
  const isEscalation = lastSeverity === null || isMoreSevere(message.severity, lastSeverity);
  const {
    text,
    textDerived = false,
    metadataJson = null,
  } = chatMessage(webhook, withCount(message, open.repeatCount));
  return tryEdit(tx, tools, webhook, open.messageId, {
    ...{ text, textDerived, metadataJson },
    ...(isEscalation && { notify: notice }),
  });
}

async function resolve(
  tx: Tx,
  tools: KeyedTools,
  webhook: FoundWebhook,
  message: IncomingMessage,
  key: string,
): Promise<string | undefined> {
  const [open] = await tx.query(CLOSE_ALERT, [webhook.spaceId, webhook.id, key]);
  if (open) {
    const edit = await resolvedEdit(tx, webhook.spaceId, open, message);
    if (await tryEdit(tx, tools, webhook, open.messageId, edit)) return open.messageId;
  }
  return isVisible(message) ? post(tx, tools, webhook, message) : undefined;
}

/** Edits a message. Returns false if it has been deleted. */
async function tryEdit(
  tx: Tx,
  { editMessage }: KeyedTools,
  { spaceId, id }: FoundWebhook,
  messageId: string,
  change: {
    text: string;
    textDerived?: boolean;
    metadataJson: string | null;
    notify?: NonNullable<NewMessage['notify']>;
  },
): Promise<boolean> {
  const edit = { spaceId, messageId, editor: { id, type: 'webhook' }, access: 'answer', ...change } as const;
  return !('refused' in (await editMessage.in(tx, edit)));
}

async function post(
  tx: Tx,
  { createMessage }: KeyedTools,
  webhook: FoundWebhook,
  message: IncomingMessage,
  messageId?: string,
): Promise<string> {
  if (!isVisible(message)) throw new RejectedRequest(400, 'nothing to show');
  const chat = { ...chatMessage(webhook, message), ...(messageId !== undefined && { messageId }) };
  const { spaceId, id: webhookId } = webhook;
  return postedId(
    message.threadKey === undefined
      ? await createMessage.in(tx, chat)
      : await postInThread(tx, createMessage, chat, { spaceId, webhookId, key: message.threadKey }),
  );
}

function withCount(message: IncomingMessage, count: number): IncomingMessage {
  return { ...message, metadata: fitToLimit({ ...message.metadata, repeat_count: count }, () => undefined) };
}
