import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { changesBetween, recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';

export type InteractiveAction =
  'bot.interactive_configured' | 'bot.interactive_disabled' | 'bot.interactive_secret_rotated';

/** The bot whose configuration changes, and the origin of the change. */
export interface Requester extends Pick<BotPrincipal, 'spaceId' | 'botId'> {
  origin: Origin;
}

/**
 * Writes a change of a bot's configuration to the audit log, in the transaction of the change.
 * Never records a secret.
 */
export async function recordInteractiveChange(
  tx: Tx,
  { spaceId, botId, origin }: Requester,
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
