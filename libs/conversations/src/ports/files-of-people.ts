import type { Tx } from '@tieline/platform/database';
import type { Attachments } from './message-attachments.js';

/** The message that files are attached to. */
interface MessageWithFiles {
  /** The conversation id in the sender's request. */
  conversationId: string;
  parentMessageId?: string;
  messageId: string;
}

/**
 * Attaches files to a message in the given order, in the transaction that writes the message and
 * before its conversation is locked.
 * @throws 403 files that are unknown, another person's or another conversation's; 400 not ready or
 * already attached
 */
export type BindFiles = (tx: Tx, message: MessageWithFiles) => Promise<Attachments>;

/** The files that people send. Provided by the files lib. */
export abstract class FilesOfPeople {
  /**
   * Checks the person's files in file storage. Call it before the transaction that attaches them.
   */
  abstract prepare(
    person: { spaceId: string; userId: string },
    fileIds: readonly string[],
  ): Promise<BindFiles>;
}
