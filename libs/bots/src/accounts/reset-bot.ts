import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import { hashToken, newSigningSecret, NO_PREVIOUS_SECRET, SecretBox } from '@tieline/signing';
import { endPush } from '../push/end-push.js';
import { BOT_WEBHOOK_SECRET } from '../push/webhook/webhook-secret.js';
import { appendBotChanged } from './bot-changed.js';
import { Bot } from './bot.entity.js';
import { appendBotTokenRevoked } from './bot-token-revoked.js';
import { lockBot } from './bots.queries.js';
import { newBotToken } from './new-bot-token.js';
import { recordBotChange } from './record-bot-change.js';
import type { ChangedBot } from './record-bot-change.js';

/** The secrets of a new or reset bot, shown once. */
export interface NewBotSecrets {
  token: string;
  webhookSigningSecret: string;
}

/** Resets bots whose token may have been stolen. */
@Injectable()
export class ResetBot {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
  ) {}

  /**
   * Replaces a bot's token and clears what a holder of the old one may have set up: the mode
   * becomes `none`, the push address is removed and the push secret is replaced. Commands and
   * interactive settings follow `reset_at` by triggers of their libs
   * (docs/security.md#when-a-token-was-stolen). The bot of an app also loses the address for clicks
   * and the secret of the app (docs/apps.md#bots-of-apps).
   * @throws 404 unknown, deleted or of another space
   */
  async run({ spaceId, botId, origin }: ChangedBot): Promise<NewBotSecrets> {
    const token = newBotToken();
    const webhookSigningSecret = newSigningSecret();
    await runInTx(
      this.db,
      async (tx) => {
        const bot = await lockBot(tx, spaceId, botId);
        const resetAt = new Date();
        const after: Bot = { ...bot, eventDeliveryMode: 'none', webhookUrl: '', updatedAt: resetAt };
        await tx.manager.update(
          Bot,
          { spaceId, id: botId },
          {
            ...{ eventDeliveryMode: after.eventDeliveryMode, webhookUrl: '', updatedAt: resetAt, resetAt },
            interactiveUrl: '',
            tokenHash: hashToken(token),
            tokenExpiresAt: null,
            ...NO_PREVIOUS_SECRET,
            webhookSecret: BOT_WEBHOOK_SECRET.seal(this.box, botId, webhookSigningSecret),
          },
        );
        await recordBotChange(tx, bot, { action: 'bot.reset', origin, settings: { before: bot, after } });
        await appendBotChanged(tx, after);
        await appendBotTokenRevoked(tx, bot, origin);
        await endPush(tx, botId);
      },
      { spaceId, place: botId },
    );
    return { token, webhookSigningSecret };
  }
}
