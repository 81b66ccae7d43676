import { findMessage } from '@tieline/conversations';
import type { DeleteMessage, EditMessage } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { isUuid } from '@tieline/platform/http';
import { isVisible } from '../formats/incoming-message.js';
import type { IncomingMessage } from '../formats/incoming-message.js';
import { RejectedRequest } from '../incoming-webhooks.errors.js';
import type { FoundWebhook } from './find-by-token.js';

/** Services that edit and delete messages. */
export interface ChangingTools {
  db: Db;
  editMessage: EditMessage;
  deleteMessage: DeleteMessage;
}

const STATUS = {
  unknown_message: 404,
  not_author: 404,
  not_member: 404,
  guarded: 404,
  deleted: 410,
} as const;

/**
 * Replaces the content of a message of the webhook. Sends no new notifications. Keeps the repeat
 * count of an alert.
 * @throws RejectedRequest 404 for a message of another author, 410 for a deleted one
 */
export async function editIncoming(
  { db, editMessage }: ChangingTools,
  { spaceId, id }: FoundWebhook,
  messageId: string,
  message: IncomingMessage,
): Promise<void> {
  requireUuid(messageId);
  if (!isVisible(message)) throw new RejectedRequest(400, 'nothing to show');
  const { text, textDerived = false, metadata } = message;
  const edit = {
    spaceId,
    messageId,
    editor: { id, type: 'webhook' },
    access: 'answer',
    text,
    textDerived,
  } as const;
  await runInTx(
    db,
    async (tx) => {
      const before = JSON.parse((await findMessage(tx, spaceId, messageId))?.metadataJson ?? '{}') as Record<
        string,
        unknown
      >;
      const counted = 'repeat_count' in before && { repeat_count: before['repeat_count'] };
      const shown = { ...metadata, ...counted };
      const metadataJson = Object.keys(shown).length > 0 ? JSON.stringify(shown) : null;
      throwIfRefused(await editMessage.in(tx, { ...edit, metadataJson }));
    },
    { spaceId, place: messageId },
  );
}

/**
 * Deletes a message of the webhook.
 * @throws RejectedRequest 404 for a message of another author, 410 for a deleted one
 */
export async function deleteIncoming(
  { db, deleteMessage }: ChangingTools,
  { spaceId, id }: FoundWebhook,
  messageId: string,
): Promise<void> {
  requireUuid(messageId);
  await runInTx(
    db,
    async (tx) =>
      throwIfRefused(await deleteMessage.in(tx, { spaceId, messageId, actor: { id, type: 'webhook' } })),
    { spaceId, place: messageId },
  );
}

function requireUuid(messageId: string): void {
  if (!isUuid(messageId)) throw new RejectedRequest(404, 'no message of this webhook');
}

function throwIfRefused(answer: object | undefined): void {
  if (!answer || !('refused' in answer)) return;
  const status = STATUS[answer.refused as keyof typeof STATUS];
  throw new RejectedRequest(status, status === 410 ? 'the message is deleted' : 'no message of this webhook');
}
