import { Injectable } from '@nestjs/common';
import type { Attachments } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { fileNotUsable } from './bot-messages.errors.js';

/** Files on their way into a message. */
export interface FilesToAttach {
  /** The conversation as the caller names it: what the files were made for. */
  conversationId: string;
  /** Of the message that is about to be written in the same transaction. */
  messageId: string;
  fileIds: readonly string[];
}

/** Who knows a bot's files. Asked only for messages that name some. */
export abstract class MessageFiles {
  /**
   * Binds files to a message, inside the transaction that writes it, before the conversation is locked.
   * @returns the file records and their state, as the event and the sender are told
   * @throws 403 unknown, another bot's or another conversation's; 400 not ready or attached already
   */
  abstract attach(tx: Tx, bot: BotPrincipal, files: FilesToAttach): Promise<Attachments>;
}

/** Where files are not installed, every file is unknown. */
@Injectable()
export class NoMessageFiles extends MessageFiles {
  override async attach(): Promise<Attachments> {
    throw fileNotUsable();
  }
}
