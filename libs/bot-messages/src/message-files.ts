import { Injectable } from '@nestjs/common';
import { chatAccess, chatErrors } from '@tieline/conversations';
import type { Attachments } from '@tieline/conversations';
import { attachFiles, FileLookup } from '@tieline/files';
import type { FilesToAttach, FileLookupResult } from '@tieline/files';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';

/** Attaches a bot's files to its messages. Used only for messages with files. */
@Injectable()
export class MessageFiles {
  constructor(private readonly lookup: FileLookup) {}

  /** Checks files in file storage. Call it before the transaction that attaches them. */
  lookUp(bot: BotPrincipal, fileIds: readonly string[]): Promise<FileLookupResult> {
    return this.lookup.lookUp(bot, fileIds);
  }

  /**
   * Attaches files to a message in the transaction that writes it, before the conversation is
   * locked.
   * @returns the file records and their state, for the event and the response.
   * @throws 403 not a member or archived, or a file that is unknown, another bot's or another
   * conversation's. 400 not ready or already attached.
   */
  async attach(tx: Tx, bot: BotPrincipal, files: FilesToAttach): Promise<Attachments> {
    // Checked first, so that a bot without access learns nothing about the files.
    const { refused } = await chatAccess.sending(tx, {
      spaceId: bot.spaceId,
      conversationId: files.conversationId,
      author: { id: bot.botId },
    });
    if (refused !== undefined) throw chatErrors.botRefused(refused);
    return attachFiles(tx, bot, files);
  }
}
