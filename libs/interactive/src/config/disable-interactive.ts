import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
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
    await tx.query(
      `UPDATE interactive_configs SET callback_url = NULL, signing_secret = NULL, generation = generation + 1, updated_at = now()
        WHERE space_id = $1 AND bot_id = $2`,
      [requester.spaceId, requester.botId],
    );
    await recordInteractiveChange(tx, requester, 'bot.interactive_disabled', {
      before: before.callback_url ?? '',
      after: '',
    });
  });
}
