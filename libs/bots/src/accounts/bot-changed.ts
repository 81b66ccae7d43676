import { uuidv7 } from 'uuidv7';
import { appendOutbox } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { settingsOf } from '@tieline/platform/resource';
import { BOT } from './bot.js';
import type { BotSettings } from './bot.js';
import type { Bot } from './bot.entity.js';

/** Outbox type of {@link BotChanged}. */
export const BOT_CHANGED = 'bot.changed';

/** Settings that every record has. Records of earlier versions may lack any other. */
type AlwaysPresent = Pick<
  BotSettings,
  'isActive' | 'eventTypes' | 'channelIds' | 'eventDeliveryMode' | 'webhookUrl'
>;

/**
 * The settings that decide which events a bot receives and how, as of the commit of a change. The
 * planner applies changes in outbox order, so that each event is matched against the settings at
 * its own commit.
 */
export type BotChanged = {
  botId: string;
  spaceId: string;
  isDeleted: boolean;
  /** The installation of an app; absent for bots without one. */
  installationId?: string;
} & AlwaysPresent &
  Partial<Omit<BotSettings, 'displayName' | 'avatarUrl'>>;

/**
 * Appends the bot's settings to the outbox. The caller holds the bot's row lock or has just
 * inserted the row.
 */
export async function appendBotChanged(tx: Tx, bot: Bot): Promise<void> {
  const { displayName, avatarUrl, ...settings } = settingsOf(BOT, bot);
  const payload: BotChanged = {
    botId: bot.id,
    spaceId: bot.spaceId,
    isDeleted: bot.deletedAt !== null,
    ...(bot.installationId !== null && { installationId: bot.installationId }),
    ...settings,
  };
  await appendOutbox(tx, { eventId: uuidv7(), spaceId: bot.spaceId, type: BOT_CHANGED, payload });
}
