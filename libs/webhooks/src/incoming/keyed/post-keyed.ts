import { Injectable } from '@nestjs/common';
import { canPush } from '@tieline/notifications';
import { CreateMessage, EditMessage } from '@tieline/conversations';
import type { MessageEdit } from '@tieline/conversations';
import type { RowOf, Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { isVisible } from '../message/incoming-message.js';
import type { IncomingMessage } from '../message/incoming-message.js';
import { fitToLimit } from '../message/rich-size.js';
import { isMoreSevere, mostSevere } from '../message/severity.js';
import { RejectedRequest } from '../incoming-webhooks.errors.js';
import { chatMessage, noticeOf, postedId } from '../receive/chat-message.js';
import type { FoundWebhook } from '../receive/find-by-token.js';
import { CLOSE_ALERT, STORE_ALERT, LOCK_ALERT } from './keyed.statements.js';
import { postInThread } from './post-in-thread.js';
import { resolvedEdit } from './resolved-edit.js';

/** Whether the message has a key from its sender. */
export function isKeyed({ threadKey, dedupKey }: IncomingMessage): boolean {
  return threadKey !== undefined || dedupKey !== undefined;
}

/** Posts messages with keys of their sender in the caller's transaction. */
@Injectable()
export class PostKeyed {
  constructor(
    private readonly createMessage: CreateMessage,
    private readonly editMessage: EditMessage,
  ) {}

  /**
   * With a `dedup_key`, edits the open message of that key. With a `thread_key`, posts into the
   * thread of that key. Concurrent requests with the same key are serialized.
   * @returns the id of the message, or undefined when the message resolves an alert that is not
   * open and has no text
   */
  async in(tx: Tx, webhook: FoundWebhook, message: IncomingMessage): Promise<string | undefined> {
    const { dedupKey, resolved } = message;
    if (dedupKey === undefined) return this.post(tx, webhook, message);
    return resolved === true
      ? this.resolve(tx, webhook, message, dedupKey)
      : this.openOrRepeat(tx, webhook, message, dedupKey);
  }

  private async openOrRepeat(
    tx: Tx,
    webhook: FoundWebhook,
    message: IncomingMessage,
    key: string,
  ): Promise<string> {
    const { spaceId, id: webhookId, conversationId } = webhook;
    const messageId = uuidv7();
    const { severity } = message;
    const pushedSeverity = canPush(noticeOf(webhook, message)) ? severity : null;
    const alert = { spaceId, webhookId, key, messageId, conversationId, severity, pushedSeverity };
    const [open] = await tx.query(LOCK_ALERT, alert);
    if (open && open.messageId !== messageId) {
      if (await this.editOpenMessage(tx, webhook, message, open)) {
        await tx.query(STORE_ALERT, {
          ...alert,
          messageId: open.messageId,
          severity: mostSevere([open.severity, severity]) ?? severity,
          pushedSeverity: mostSevere([open.pushedSeverity, pushedSeverity]) ?? null,
          repeatCount: open.repeatCount,
        });
        return open.messageId;
      }
      await tx.query(STORE_ALERT, { ...alert, repeatCount: 1 });
    }
    return this.post(tx, webhook, withCount(message, 1), messageId);
  }

  /**
   * Edits the open message. Returns false if it was deleted or the webhook now posts to another
   * channel.
   */
  private async editOpenMessage(
    tx: Tx,
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
    return this.tryEdit(tx, webhook, open.messageId, {
      ...{ text, textDerived, metadataJson },
      ...(isEscalation && { notify: notice }),
    });
  }

  private async resolve(
    tx: Tx,
    webhook: FoundWebhook,
    message: IncomingMessage,
    key: string,
  ): Promise<string | undefined> {
    const [open] = await tx.query(CLOSE_ALERT, [webhook.spaceId, webhook.id, key]);
    if (open) {
      const edit = await resolvedEdit(tx, webhook.spaceId, open, message);
      if (await this.tryEdit(tx, webhook, open.messageId, edit)) return open.messageId;
    }
    return isVisible(message) ? this.post(tx, webhook, message) : undefined;
  }

  /** Edits a message. Returns false if it has been deleted. */
  private async tryEdit(
    tx: Tx,
    { spaceId, id }: FoundWebhook,
    messageId: string,
    change: Pick<MessageEdit, 'text' | 'textDerived' | 'metadataJson' | 'notify'>,
  ): Promise<boolean> {
    const editor = { id, type: 'webhook' } as const;
    const edit = { spaceId, messageId, editor, access: 'answer', ...change } as const;
    return !('refused' in (await this.editMessage.in(tx, edit)));
  }

  private async post(
    tx: Tx,
    webhook: FoundWebhook,
    message: IncomingMessage,
    messageId?: string,
  ): Promise<string> {
    if (!isVisible(message)) throw new RejectedRequest(400, 'nothing to show');
    const chat = { ...chatMessage(webhook, message), ...(messageId !== undefined && { messageId }) };
    const { spaceId, id: webhookId } = webhook;
    return postedId(
      message.threadKey === undefined
        ? await this.createMessage.in(tx, chat)
        : await postInThread(tx, this.createMessage, chat, { spaceId, webhookId, key: message.threadKey }),
    );
  }
}

function withCount(message: IncomingMessage, count: number): IncomingMessage {
  return { ...message, metadata: fitToLimit({ ...message.metadata, repeat_count: count }, () => undefined) };
}
