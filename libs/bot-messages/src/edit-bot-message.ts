import { Injectable } from '@nestjs/common';
import { chatErrors, EditMessage } from '@tieline/conversations';
import { ComponentSigner } from '@tieline/interactive';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import type { BotMessageText } from './dto/message-body.js';

/**
 * Replaces text and metadata of the bot's own message. Absent metadata clears the existing metadata
 * (docs/bots.md#edit-a-message).
 */
@Injectable()
export class EditBotMessage {
  constructor(
    private readonly db: Db,
    private readonly editMessage: EditMessage,
    private readonly signer: ComponentSigner,
  ) {}

  /**
   * @throws 404 unknown or of another space; 403 another author's, or the bot is not a member; 409
   * the placeholder of an unfinished run; 410 deleted; 400 interactive blocks that cannot be
   * delivered
   */
  async run(
    bot: BotPrincipal,
    messageId: string,
    { content, metadata, textDerived, sourceJson }: BotMessageText,
  ): Promise<void> {
    const { spaceId, botId } = bot;
    const edit = async (tx: Tx): Promise<void> => {
      const metadataJson = metadata ? await this.signer.sign(tx, bot, metadata) : null;
      const editor = { id: botId, type: 'bot' } as const;
      const answer = await this.editMessage.in(tx, {
        spaceId,
        messageId,
        editor,
        text: content,
        metadataJson,
        ...(textDerived && { textDerived }),
        ...(sourceJson !== undefined && { sourceJson }),
      });
      if ('refused' in answer) throw chatErrors.botRefused(answer.refused);
    };
    await runInTx(this.db, edit, { spaceId, place: messageId });
  }
}
