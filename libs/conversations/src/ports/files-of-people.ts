import type { Tx } from '@tieline/platform/database';
import type { Attachments } from './message-attachments.js';

/** The message that files go into. */
export interface MessageWithFiles {
  /** The conversation as the sender names it. */
  conversationId: string;
  parentMessageId?: string;
  messageId: string;
}

/**
 * Binds the files to a message, in the order given, inside the transaction that writes it and
 * before its conversation is locked.
 * @throws 403 files that are unknown, somebody else's or another conversation's; 400 not ready or
 * attached already
 */
export type BindFiles = (tx: Tx, message: MessageWithFiles) => Promise<Attachments>;

/** The files that people send; the files lib supplies it. */
export abstract class FilesOfPeople {
  /** Asks the store about these files of the person, before the transaction that binds them. */
  abstract prepare(
    person: { spaceId: string; userId: string },
    fileIds: readonly string[],
  ): Promise<BindFiles>;
}
