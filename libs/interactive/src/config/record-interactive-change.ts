import type { Tx } from '@tieline/platform/database';
import type { ChangedBot } from '@tieline/bots';
import { changesBetween, recordChange } from '@tieline/spaces';

export type InteractiveAction =
  'bot.interactive_configured' | 'bot.interactive_disabled' | 'bot.interactive_secret_rotated';

/**
 * Writes a change of a bot's configuration to the audit log, in the transaction of the change.
 * Never records a secret.
 */
export async function recordInteractiveChange(
  tx: Tx,
  { spaceId, botId, origin }: ChangedBot,
  action: InteractiveAction,
  addresses?: { before: string; after: string },
): Promise<void> {
  const changes = addresses
    ? changesBetween({ callback_url: addresses.before }, { callback_url: addresses.after })
    : {};
  await recordChange(tx, {
    ...origin,
    spaceId,
    action,
    objectType: 'bot',
    objectId: botId,
    changes,
  });
}
