import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { NO_PREVIOUS_SECRET } from '@tieline/signing';
import { InteractiveConfig } from './interactive-config.entity.js';
import { lockConfig } from './interactive-config.queries.js';
import { recordInteractiveChange } from './record-interactive-change.js';
import type { Requester } from './record-interactive-change.js';

/**
 * Removes a bot's callback address and secret. All existing buttons stop working, including those
 * signed with the internal key, whatever is configured later. Does nothing if there is no
 * configuration.
 */
export async function disableInteractive(db: Db, requester: Requester): Promise<void> {
  await runInTx(
    db,
    async (tx) => {
      const before = await lockConfig(tx, requester.spaceId, requester.botId);
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
      await recordInteractiveChange(tx, requester, 'bot.interactive_disabled', {
        before: before.callbackUrl ?? '',
        after: '',
      });
    },
    { spaceId: requester.spaceId, place: requester.botId },
  );
}
