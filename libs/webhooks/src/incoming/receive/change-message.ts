import { findMessage } from '@tieline/conversations';
import type { DeleteMessage, EditMessage } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { isUuid } from '@tieline/platform/http';
import { isVisible } from '../formats/incoming-message.js';
import type { IncomingMessage } from '../formats/incoming-message.js';
import { Rejected } from '../incoming-webhooks.errors.js';
import type { FoundWebhook } from './find-by-token.js';

/** What messages are changed with. */
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
 * Replaces what a message of the webhook shows (decisions, section 11.2); nobody is notified again,
 * and how often an alert was repeated stays.
 * @throws Rejected 404 for any other message, 410 for a deleted one
 */
export async function editIncoming(
  { db, editMessage }: ChangingTools,
  { spaceId, id }: FoundWebhook,
  messageId: string,
  message: IncomingMessage,
): Promise<void> {
  requireId(messageId);
  if (!isVisible(message)) throw new Rejected(400, 'nothing to show');
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
      accept(await editMessage.in(tx, { ...edit, metadataJson }));
    },
    { spaceId, place: messageId },
  );
}

/**
 * Deletes a message of the webhook. @throws Rejected 404 for any other message, 410 for a deleted
 * one
 */
export async function deleteIncoming(
  { db, deleteMessage }: ChangingTools,
  { spaceId, id }: FoundWebhook,
  messageId: string,
): Promise<void> {
  requireId(messageId);
  await runInTx(
    db,
    async (tx) => accept(await deleteMessage.in(tx, { spaceId, messageId, actor: { id, type: 'webhook' } })),
    { spaceId, place: messageId },
  );
}

function requireId(messageId: string): void {
  if (!isUuid(messageId)) throw new Rejected(404, 'no message of this webhook');
}

function accept(answer: object | undefined): void {
  if (!answer || !('refused' in answer)) return;
  const status = STATUS[answer.refused as keyof typeof STATUS];
  throw new Rejected(status, status === 410 ? 'the message is deleted' : 'no message of this webhook');
}
