import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import { rotateSecret, SecretBox } from '@tieline/signing';
import type { RotatedSecret } from '@tieline/signing';
import { Bot } from '../../accounts/bot.entity.js';
import { lockBot } from '../../accounts/bots.queries.js';
import { recordBotChange } from '../../accounts/record-bot-change.js';
import type { ChangedBot } from '../../accounts/record-bot-change.js';
import { botOfApp } from '../../bots.errors.js';
import { BOT_WEBHOOK_SECRET } from './webhook-secret.js';

/** Rotates the secrets that sign pushes. */
@Injectable()
export class RotateWebhookSecret {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
  ) {}

  /**
   * Replaces a bot's push signing secret. Every later attempt of a push is signed with it, and for
   * `overlapSeconds` also with the old one (docs/push.md#rotate-the-secret).
   * @throws 404 unknown, deleted or of another space; 409 for the bot of an installed app, whose
   * pushes are signed with the secret of the app
   */
  async run({ spaceId, botId, origin }: ChangedBot, overlapSeconds: number): Promise<RotatedSecret> {
    const { rotated, columns } = rotateSecret('webhook_secret', overlapSeconds);
    await runInTx(
      this.db,
      async (tx) => {
        const bot = await lockBot(tx, spaceId, botId);
        if (bot.installationId !== null) throw botOfApp();
        await tx.manager.update(
          Bot,
          { spaceId, id: botId },
          { ...columns, webhookSecret: BOT_WEBHOOK_SECRET.seal(this.box, botId, rotated.signingSecret) },
        );
        await recordBotChange(tx, bot, { action: 'bot.webhook_secret_rotated', origin });
      },
      { spaceId, place: botId },
    );
    return rotated;
  }
}
