import { Injectable } from '@nestjs/common';
import { chatErrors, PinMessage } from '@tieline/conversations';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';

/**
 * Pins or unpins a message for the bot, no matter who pinned it. Repeating succeeds and emits no
 * event.
 */
@Injectable()
export class PinAsBot {
  constructor(
    private readonly db: Db,
    private readonly pinMessage: PinMessage,
  ) {}

  /**
   * @throws 404 unknown or of another space; 403 the bot is not a member, or the conversation is
   * archived; 410 deleted; 409 the conversation already has 100 pins
   */
  async run({ spaceId, botId }: BotPrincipal, change: 'pin' | 'unpin', messageId: string): Promise<void> {
    const pinning = { spaceId, messageId, actor: { id: botId, type: 'bot' as const } };
    const pin = async (tx: Tx): Promise<void> => {
      const answer = await this.pinMessage.in(tx, change, pinning);
      if ('refused' in answer) throw chatErrors.botRefused(answer.refused);
    };
    await runInTx(this.db, pin, { spaceId, place: messageId });
  }
}
