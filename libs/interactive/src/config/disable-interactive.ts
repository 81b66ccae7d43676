import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { InteractiveConfig } from './interactive-config.entity.js';
import { lockConfig } from './interactive-config.queries.js';
import { recordInteractiveChange } from './record-interactive-change.js';
import type { Requester } from './record-interactive-change.js';

/**
 * Removes a bot's callback address and secret (contract, Interactive). Every button that is there dies, those signed
 * with the internal key included, and stays dead whatever is configured later. Where nothing was configured it only
 * does that.
 */
export async function disableInteractive(db: Db, requester: Requester): Promise<void> {
  await runInTx(db, async (tx) => {
    const before = await lockConfig(tx, requester.spaceId, requester.botId);
    if (!before) return;
    const { spaceId, botId, generation } = before;
    await tx.manager.update(
      InteractiveConfig,
      { spaceId, botId },
      { callbackUrl: null, signingSecret: null, generation: generation + 1, updatedAt: new Date() },
    );
    await recordInteractiveChange(tx, requester, 'bot.interactive_disabled', {
      before: before.callbackUrl ?? '',
      after: '',
    });
  });
}
