import type { ChangedBot } from '@tieline/bots';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { NO_PREVIOUS_SECRET } from '@tieline/signing';
import { InteractiveConfig } from './interactive-config.entity.js';
import { lockConfig } from './interactive-config.queries.js';
import { recordInteractiveChange } from './record-interactive-change.js';

/**
 * Removes a bot's callback address and secret. All existing buttons stop working, including those
 * signed with the internal key, whatever is configured later. Does nothing if there is no
 * configuration.
 */
export async function disableInteractive(db: Db, bot: ChangedBot): Promise<void> {
  await runInTx(
    db,
    async (tx) => {
      const before = await lockConfig(tx, bot.spaceId, bot.botId);
      if (!before) return;
      const { spaceId, botId, generation } = before;
      await tx.manager.update(
        InteractiveConfig,
        { spaceId, botId },
        {
          ...NO_PREVIOUS_SECRET,
          callbackUrl: null,
          signingSecret: null,
          generation: generation + 1,
          updatedAt: new Date(),
        },
      );
      await recordInteractiveChange(tx, bot, 'bot.interactive_disabled', {
        before: before.callbackUrl ?? '',
        after: '',
      });
    },
    { spaceId: bot.spaceId, place: bot.botId },
  );
}
