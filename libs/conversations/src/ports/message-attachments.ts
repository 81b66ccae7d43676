import type { Queryable, Tx } from '@tieline/platform/database';
import type { AttachmentStatus } from '../events/shown-message.js';

/** The files of one message as history shows them: file records of the contract. */
export interface Attachments {
  records: object[];
  status: AttachmentStatus;
}

/** A message without files. */
export const NO_ATTACHMENTS: Attachments = Object.freeze({ records: [], status: 'none' });

/** The files of messages; the files lib supplies it. */
export abstract class MessageAttachments {
  /** The files of each of these messages that has any. */
  abstract of(
    q: Queryable,
    spaceId: string,
    messageIds: readonly string[],
  ): Promise<Map<string, Attachments>>;
  /**
   * Drops a message's files with the message, in the transaction that deletes it. The caller holds
   * the conversation's row lock.
   */
  abstract drop(tx: Tx, spaceId: string, messageId: string): Promise<void>;
}
