import type { Tx } from '@tieline/platform/database';
import { auditedOf } from '@tieline/platform/resource';
import { changesBetween, recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import type { Bot } from './bot.entity.js';
import { BOT } from './bot.js';
import type { BotSettings } from './bot.js';

type BotAction =
  | 'bot.created'
  | 'bot.updated'
  | 'bot.deleted'
  | 'bot.token_regenerated'
  | 'bot.token_revoked'
  | 'bot.reset'
  | 'bot.webhook_secret_rotated'
  | 'bot.push_auto_disabled';

/** The bot that a request changes, and the origin of the change. */
export interface ChangedBot {
  readonly spaceId: string;
  readonly botId: string;
  readonly origin: Origin;
}

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
    ? changesBetween(settings.before && auditedOf(BOT, settings.before), auditedOf(BOT, settings.after))
    : {};
  await recordChange(tx, { ...origin, spaceId, action, objectType: 'bot', objectId: id, changes });
}
