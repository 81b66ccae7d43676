import { canPush } from '@tieline/conversations';
import type { CreateMessage, EditMessage, NewMessage } from '@tieline/conversations';
import type { RowOf, Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import { isVisible } from '../formats/incoming-message.js';
import type { IncomingMessage } from '../formats/incoming-message.js';
import { fitting } from '../formats/rich-size.js';
import { isWorse, worstOf } from '../formats/severity.js';
import { Rejected } from '../incoming-webhooks.errors.js';
import { chatMessage, noticeOf, postedId } from '../receive/chat-message.js';
import type { FoundWebhook } from '../receive/find-by-token.js';
import { END_ALERT, STORE_ALERT, TAKE_ALERT } from './keyed.statements.js';
import { postInThread } from './post-in-thread.js';
import { resolvedEdit } from './resolved-edit.js';

/** What keyed messages are written with. */
export interface KeyedTools {
  createMessage: CreateMessage;
  editMessage: EditMessage;
}

/** Whether a message belongs together with others, by keys that its sender gave it. */
export function isKeyed({ threadKey, dedupKey }: IncomingMessage): boolean {
  return threadKey !== undefined || dedupKey !== undefined;
}

/**
 * Posts a message under its keys, in the caller's transaction (decisions, section 11.2): with a
 * `dedup_key` the open message of that key is edited instead, with a `thread_key` a new one lands
 * in the thread of that key. Concurrent requests with the same key are serialized.
 *
 * @returns the id of the message that stands for the request; undefined when it resolves an alert
 * that is not open and has no words
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
    : repeat(tx, tools, webhook, message, dedupKey);
}

async function repeat(
  tx: Tx,
  tools: KeyedTools,
  webhook: FoundWebhook,
  message: IncomingMessage,
  key: string,
): Promise<string> {
  const { spaceId, id, conversationId } = webhook;
  const alert = [spaceId, id, key];
  const fresh = uuidv7();
  const { severity } = message;
  const pushed = canPush(noticeOf(webhook, message)) ? severity : null;
  const [open] = await tx.query(TAKE_ALERT, [...alert, fresh, conversationId, severity, pushed]);
  if (open && open.messageId !== fresh) {
    if (await isRepeated(tx, tools, webhook, message, open)) {
      const severities = [worstOf([open.severity, severity]), worstOf([open.pushedSeverity, pushed]) ?? null];
      await tx.query(STORE_ALERT, [
        ...alert,
        open.messageId,
        conversationId,
        ...severities,
        open.repeatCount,
      ]);
      return open.messageId;
    }
    await tx.query(STORE_ALERT, [...alert, fresh, conversationId, severity, pushed, 1]);
  }
  return post(tx, tools, webhook, withCount(message, 1), fresh);
}

/**
 * Edits the open message; false when it is gone, or stands in a channel that the webhook has left.
 */
async function isRepeated(
  tx: Tx,
  tools: KeyedTools,
  webhook: FoundWebhook,
  message: IncomingMessage,
  open: RowOf<typeof TAKE_ALERT>,
): Promise<boolean> {
  if (open.conversationId !== null && open.conversationId !== webhook.conversationId) return false;
  const notice = noticeOf(webhook, message);
  const told = canPush(notice) ? open.pushedSeverity : open.severity;
  const rises = told === null || isWorse(message.severity, told);
  const {
    text,
    textDerived = false,
    metadataJson = null,
  } = chatMessage(webhook, withCount(message, open.repeatCount));
  return isEdited(tx, tools, webhook, open.messageId, {
    ...{ text, textDerived, metadataJson },
    ...(rises && { notify: notice }),
  });
}

async function resolve(
  tx: Tx,
  tools: KeyedTools,
  webhook: FoundWebhook,
  message: IncomingMessage,
  key: string,
): Promise<string | undefined> {
  const [open] = await tx.query(END_ALERT, [webhook.spaceId, webhook.id, key]);
  if (open) {
    const edit = await resolvedEdit(tx, webhook.spaceId, open, message);
    if (await isEdited(tx, tools, webhook, open.messageId, edit)) return open.messageId;
  }
  return isVisible(message) ? post(tx, tools, webhook, message) : undefined;
}

/** False when the message is gone: deleted meanwhile. */
async function isEdited(
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
  if (!isVisible(message)) throw new Rejected(400, 'nothing to show');
  const chat = { ...chatMessage(webhook, message), ...(messageId !== undefined && { messageId }) };
  const { spaceId, id: webhookId } = webhook;
  return postedId(
    message.threadKey === undefined
      ? await createMessage.in(tx, chat)
      : await postInThread(tx, createMessage, chat, { spaceId, webhookId, key: message.threadKey }),
  );
}

function withCount(message: IncomingMessage, count: number): IncomingMessage {
  return { ...message, metadata: fitting({ ...message.metadata, repeat_count: count }, () => undefined) };
}
