import { Injectable } from '@nestjs/common';
import { chatErrors, DeleteMessage } from '@tieline/conversations';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';

/** Deletes the bot's own message. */
@Injectable()
export class DeleteBotMessage {
  constructor(
    private readonly db: Db,
    private readonly deleteMessage: DeleteMessage,
  ) {}

  /**
   * @throws 404 unknown or of another space; 403 another author's, or the bot is not a member; 410
   * already deleted; 409 the placeholder of an unfinished run
   */
  async run({ spaceId, botId }: BotPrincipal, messageId: string): Promise<void> {
    const deletion = { spaceId, messageId, actor: { id: botId, type: 'bot' as const } };
    const remove = async (tx: Tx): Promise<void> => {
      const answer = await this.deleteMessage.in(tx, deletion);
      if (answer) throw chatErrors.botRefused(answer.refused);
    };
    await runInTx(this.db, remove, { spaceId, place: messageId });
  }
}
