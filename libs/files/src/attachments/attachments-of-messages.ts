import { Global, Injectable, Module } from '@nestjs/common';
import { MessageAttachments } from '@tieline/conversations';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { AttachedFiles } from './attach-files.js';
import { dropFilesOfMessage } from '../removal/drop-files.js';
import { ATTACHMENTS_OF_MESSAGES, DELETE_ATTACHMENTS, FILES_OF_MESSAGES } from './attachments.statements.js';
import { fileRecord } from '../file.view.js';

/**
 * Returns the files of each of these messages that was sent with files, as history and streams show
 * them.
 */
export async function fileRecordsOf(
  q: Queryable,
  spaceId: string,
  messageIds: readonly string[],
): Promise<Map<string, AttachedFiles>> {
  const states = await q.query(ATTACHMENTS_OF_MESSAGES, [spaceId, messageIds]);
  const attachments = new Map(
    states.map(({ messageId, status }): [string, AttachedFiles] => [messageId, { records: [], status }]),
  );
  if (states.length === 0) return attachments;
  for (const file of await q.query(FILES_OF_MESSAGES, [spaceId, [...attachments.keys()]])) {
    const { messageId } = file;
    const of = messageId === null ? undefined : attachments.get(messageId);
    if (messageId !== null) of?.records.push(fileRecord(file, of.status === 'attached' ? messageId : ''));
  }
  return attachments;
}

@Injectable()
class StoredAttachments extends MessageAttachments {
  override async of(
    q: Queryable,
    spaceId: string,
    messageIds: readonly string[],
  ): Promise<Map<string, AttachedFiles>> {
    return messageIds.length > 0 ? fileRecordsOf(q, spaceId, messageIds) : new Map();
  }

  override async drop(tx: Tx, spaceId: string, messageId: string): Promise<void> {
    const had = await tx.query(DELETE_ATTACHMENTS, [spaceId, messageId]);
    if (had.length > 0) await dropFilesOfMessage(tx, spaceId, messageId);
  }
}

/**
 * Global, because it provides `MessageAttachments` to the chat core, which is lower and cannot
 * import this lib.
 */
@Global()
@Module({
  providers: [{ provide: MessageAttachments, useClass: StoredAttachments }],
  exports: [MessageAttachments],
})
export class MessageAttachmentsModule {}
