import { v7 as uuidv7 } from 'uuid';
import { appendOutbox } from '@tieline/delivery';
import type { RetryProfile } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import type { Bot } from './bot.entity.js';
import type { EventDeliveryMode } from './bot-settings.js';

/** Outbox type of {@link BotChanged}. */
export const BOT_CHANGED = 'bot.changed';

/**
 * The settings that decide which events a bot receives and how, as of the commit of a change. The
 * planner applies changes in outbox order, so that each event is matched against the settings at
 * its own commit.
 */
export interface BotChanged {
  botId: string;
  spaceId: string;
  isActive: boolean;
  isDeleted: boolean;
  eventTypes: string[];
  channelIds: string[];
  eventDeliveryMode: EventDeliveryMode;
  webhookUrl: string;
  /** Absent in records written before retry profiles existed. */
  retryProfile?: RetryProfile;
}

/**
 * Appends the bot's settings to the outbox. The caller holds the bot's row lock or has just
 * inserted the row.
 */
export async function appendBotChanged(tx: Tx, bot: Bot): Promise<void> {
  const payload: BotChanged = {
    botId: bot.id,
    spaceId: bot.spaceId,
    isActive: bot.isActive,
    isDeleted: bot.deletedAt !== null,
    eventTypes: bot.eventTypes,
    channelIds: bot.channelIds,
    eventDeliveryMode: bot.eventDeliveryMode,
    webhookUrl: bot.webhookUrl,
    retryProfile: bot.retryProfile,
  };
  await appendOutbox(tx, { eventId: uuidv7(), spaceId: bot.spaceId, type: BOT_CHANGED, payload });
}
