import { Injectable } from '@nestjs/common';
import { BotRates, chatErrors, EditMessage, lockConversationOfMessage } from '@tieline/conversations';
import { dropOwnFile } from '@tieline/files';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { SlackError } from '../dispatcher/slack-error.js';
import type { StoredFileRow } from './stored-files.statements.js';

/** Deletes files of bots. */
@Injectable()
export class DeleteFile {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
    private readonly editMessage: EditMessage,
  ) {}

  /**
   * Deletes a file of the bot and removes it from its message, as an edit of that message.
   * @throws errors of an edit; SlackError `file_not_found` if the file is gone or was sent in the
   * meantime
   */
  async run(bot: BotPrincipal, { id, messageId, conversationId }: StoredFileRow): Promise<void> {
    const { spaceId, botId } = bot;
    const write = async (tx: Tx): Promise<void> => {
      if (messageId !== null) await lockConversationOfMessage(tx, spaceId, messageId);
      if (!(await dropOwnFile(tx, bot, { id, messageId }))) throw new SlackError('file_not_found');
      if (messageId === null) return;
      const editor = { id: botId, type: 'bot' } as const;
      const answer = await this.editMessage.in(tx, { spaceId, messageId, editor, hasOtherFiles: true });
      if ('refused' in answer) throw chatErrors.botRefused(answer.refused);
    };
    const run = (): Promise<void> => runInTx(this.db, write, { spaceId, place: messageId ?? id });
    await (conversationId === null
      ? this.rates.write(bot, run)
      : this.rates.message(bot, conversationId, run));
  }
}
