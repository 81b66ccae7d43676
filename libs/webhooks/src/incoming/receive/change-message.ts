import { Injectable } from '@nestjs/common';
import { DeleteMessage, EditMessage, findMessage } from '@tieline/conversations';
import { Db, runInTx } from '@tieline/platform/database';
import { isUuid } from '@tieline/platform/http';
import { isVisible } from '../message/incoming-message.js';
import type { IncomingMessage } from '../message/incoming-message.js';
import { RejectedRequest } from '../incoming-webhooks.errors.js';
import type { FoundWebhook } from './find-by-token.js';

const STATUS = {
  unknown_message: 404,
  not_author: 404,
  not_member: 404,
  guarded: 404,
  deleted: 410,
} as const;

/** Edits messages of webhooks. */
@Injectable()
export class EditIncoming {
  constructor(
    private readonly db: Db,
    private readonly editMessage: EditMessage,
  ) {}

  /**
   * Replaces the content of a message of the webhook. Sends no new notifications. Keeps the repeat
   * count of an alert.
   * @throws RejectedRequest 404 for a message of another author, 410 for a deleted one
   */
  async run({ spaceId, id }: FoundWebhook, messageId: string, message: IncomingMessage): Promise<void> {
    requireUuid(messageId);
    if (!isVisible(message)) throw new RejectedRequest(400, 'nothing to show');
    const { text, textDerived = false, metadata } = message;
    const editor = { id, type: 'webhook' } as const;
    const edit = { spaceId, messageId, editor, access: 'answer', text, textDerived } as const;
    await runInTx(
      this.db,
      async (tx) => {
        const before = JSON.parse(
          (await findMessage(tx, spaceId, messageId))?.metadataJson ?? '{}',
        ) as Record<string, unknown>;
        const counted = 'repeat_count' in before && { repeat_count: before['repeat_count'] };
        const shown = { ...metadata, ...counted };
        const metadataJson = Object.keys(shown).length > 0 ? JSON.stringify(shown) : null;
        throwIfRefused(await this.editMessage.in(tx, { ...edit, metadataJson }));
      },
      { spaceId, place: messageId },
    );
  }
}

/** Deletes messages of webhooks. */
@Injectable()
export class DeleteIncoming {
  constructor(
    private readonly db: Db,
    private readonly deleteMessage: DeleteMessage,
  ) {}

  /** @throws RejectedRequest 404 for a message of another author, 410 for a deleted one */
  async run({ spaceId, id }: FoundWebhook, messageId: string): Promise<void> {
    requireUuid(messageId);
    const deletion = { spaceId, messageId, actor: { id, type: 'webhook' } } as const;
    await runInTx(this.db, async (tx) => throwIfRefused(await this.deleteMessage.in(tx, deletion)), {
      spaceId,
      place: messageId,
    });
  }
}

function requireUuid(messageId: string): void {
  if (!isUuid(messageId)) throw new RejectedRequest(404, 'no message of this webhook');
}

function throwIfRefused(answer: object | undefined): void {
  if (!answer || !('refused' in answer)) return;
  const status = STATUS[answer.refused as keyof typeof STATUS];
  throw new RejectedRequest(status, status === 410 ? 'the message is deleted' : 'no message of this webhook');
}
