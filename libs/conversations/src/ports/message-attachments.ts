import type { Queryable, Tx } from '@tieline/platform/database';
import type { AttachmentStatus } from '../events/shown-message.js';

/** The files of one message as history shows them. */
export interface Attachments {
  records: object[];
  status: AttachmentStatus;
}

/** A message without files. */
export const NO_ATTACHMENTS: Attachments = Object.freeze({ records: [], status: 'none' });

/** The files of messages. Provided by the files lib. */
export abstract class MessageAttachments {
  /** Returns the files of those of the given messages that have any. */
  abstract of(
    q: Queryable,
    spaceId: string,
    messageIds: readonly string[],
  ): Promise<Map<string, Attachments>>;
  /**
   * Deletes a message's files in the transaction that deletes the message. The caller holds the
   * conversation's row lock.
   */
  abstract drop(tx: Tx, spaceId: string, messageId: string): Promise<void>;
}
