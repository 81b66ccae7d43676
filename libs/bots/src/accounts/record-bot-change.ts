import type { Tx } from '@tieline/platform/database';
import { changesBetween, recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import type { BotPrincipal } from '@tieline/platform/http';
import type { Bot } from './bot.entity.js';
import type { BotSettings } from './bot-settings.js';
import { settingsView } from './bot.view.js';

export type BotAction =
  | 'bot.created'
  | 'bot.updated'
  | 'bot.deleted'
  | 'bot.token_regenerated'
  | 'bot.reset'
  | 'bot.webhook_secret_rotated'
  | 'bot.push_auto_disabled';

/** What changed about a bot, and who changed it. */
export interface BotChange {
  action: BotAction;
  origin: Origin;
  /** Absent if no setting changed; `before` is null for a new bot. */
  settings?: { before: BotSettings | null; after: BotSettings };
}

/**
 * Writes a change of a bot to the audit log, in the transaction of the change. Never records a
 * token or a secret.
 */
export async function recordBotChange(
  tx: Tx,
  { spaceId, id }: Pick<Bot, 'spaceId' | 'id'>,
  { action, origin, settings }: BotChange,
): Promise<void> {
  const changes = settings
    ? changesBetween(settings.before && { ...settingsView(settings.before) }, {
        ...settingsView(settings.after),
      })
    : {};
  await recordChange(tx, { ...origin, spaceId, action, objectType: 'bot', objectId: id, changes });
}

/** Returns the origin of a change for a bot's own request. */
export function byBot({ botId }: Pick<BotPrincipal, 'botId'>, ip: string): Origin {
  return { actorId: botId, actorType: 'bot', ip };
}
