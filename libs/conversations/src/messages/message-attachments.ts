import type { Queryable, Tx } from '@tieline/platform/database';
import type { AttachmentStatus } from '../events/chat-event.js';

/** The files of one message as history shows them: file records of the contract. */
export interface Attachments {
  records: object[];
  status: AttachmentStatus;
}

/** What the files lib, which sits above, knows about messages. */
export interface MessageAttachments {
  /** The files of each message that has any. */
  attachmentsOf(q: Queryable, spaceId: string, messageIds: string[]): Promise<Map<string, Attachments>>;
  /** The message is being deleted in this transaction: its files go with it. The conversation's row lock is held. */
  messageDeleted(tx: Tx, spaceId: string, messageId: string): Promise<void>;
}

/** A message without files. */
export const NO_ATTACHMENTS: Attachments = Object.freeze({ records: [], status: 'none' });

let registered: MessageAttachments | undefined;

/** The files lib registers itself, once, at module level. Without it messages have no files. @throws Error when called twice */
export function registerMessageAttachments(attachments: MessageAttachments): void {
  if (registered) throw new Error('message attachments are registered already');
  registered = attachments;
}

/** The files of each of these messages that has any. */
export async function attachmentsOf(
  q: Queryable,
  spaceId: string,
  messageIds: string[],
): Promise<Map<string, Attachments>> {
  return registered && messageIds.length > 0 ? registered.attachmentsOf(q, spaceId, messageIds) : new Map();
}

/** Drops a message's files together with it. The caller holds the conversation's row lock. */
export async function dropAttachments(tx: Tx, spaceId: string, messageId: string): Promise<void> {
  await registered?.messageDeleted(tx, spaceId, messageId);
}
