import { v7 as uuidv7 } from 'uuid';
import { appendOutbox } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import type { Bot } from './bot.entity.js';
import type { EventDeliveryMode } from './bot-settings.js';

/** Outbox type of {@link BotChanged}. */
export const BOT_CHANGED = 'bot.changed';

/**
 * What decides which events a bot gets and how, as of the commit of a change. Whoever plans deliveries keeps these in
 * the order of the outbox and so judges every event by the settings as of that event's commit, never by later ones.
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
}

/** Appends the bot's settings to the outbox. The caller holds the bot's row lock (or has just inserted the row). */
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
  };
  await appendOutbox(tx, { eventId: uuidv7(), spaceId: bot.spaceId, type: BOT_CHANGED, payload });
}
