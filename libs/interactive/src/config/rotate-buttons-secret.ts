import { Injectable } from '@nestjs/common';
import type { ChangedBot } from '@tieline/bots';
import { Db, runInTx } from '@tieline/platform/database';
import { rotateSecret, SecretBox } from '@tieline/signing';
import type { RotatedSecret } from '@tieline/signing';
import { sealSecret } from '../schema/signing/component-keys.js';
import { notConfigured } from '../interactive.errors.js';
import { InteractiveConfig } from './interactive-config.entity.js';
import { lockConfig } from './interactive-config.queries.js';
import { recordInteractiveChange } from './record-interactive-change.js';

/** Rotates the signing secrets for buttons. */
@Injectable()
export class RotateButtonsSecret {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
  ) {}

  /**
   * Replaces a bot's signing secret for buttons: existing buttons stop working, and later callbacks
   * are signed with the new secret. During `overlapSeconds` existing buttons keep working, and
   * callbacks are signed with both secrets.
   * @throws 404 without configuration
   */
  async run(bot: ChangedBot, overlapSeconds: number): Promise<RotatedSecret> {
    const { spaceId, botId } = bot;
    const { rotated, columns } = rotateSecret('signing_secret', overlapSeconds);
    await runInTx(
      this.db,
      async (tx) => {
        const before = await lockConfig(tx, spaceId, botId);
        if (!before?.signingSecret) throw notConfigured();
        const signingSecret = sealSecret(this.box, botId, rotated.signingSecret);
        await tx.manager.update(
          InteractiveConfig,
          { spaceId, botId },
          { ...columns, signingSecret, generation: before.generation + 1 },
        );
        await recordInteractiveChange(tx, bot, 'bot.interactive_secret_rotated');
      },
      { spaceId, place: botId },
    );
    return rotated;
  }
}
