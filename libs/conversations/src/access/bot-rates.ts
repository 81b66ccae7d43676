import type { BotRateSettings } from '../conversations.settings.js';
import type { RateRule } from '@tieline/rate-limit';

const SECOND_MS = 1000;

/*
 * Rate limits of bots: fixed windows of one second. The braces around the bot's id keep all
 * counters of one call on the same node of a Redis cluster (docs/bots.md#rates).
 */

/** RATE_BOT_WRITES_PER_SECOND: counts every write request of a bot. */
export function botWriteRule({ writesPerSecond }: BotRateSettings, botId: string): RateRule {
  return { key: `bot:{${botId}}:writes`, limit: writesPerSecond, windowMs: SECOND_MS };
}

/**
 * RATE_BOT_MESSAGES_PER_SECOND: one counter per bot and conversation id in the request. Sends,
 * edits, upload sessions and upload confirmations share it.
 */
export function botMessageRule(
  { messagesPerSecond }: BotRateSettings,
  botId: string,
  conversationId: string,
): RateRule {
  return {
    key: `bot:{${botId}}:messages:${conversationId}`,
    limit: messagesPerSecond,
    windowMs: SECOND_MS,
  };
}

/** RATE_DM_PER_SECOND: direct conversations opened by a bot. */
export function botDmRule({ dmPerSecond }: BotRateSettings, botId: string): RateRule {
  return { key: `bot:{${botId}}:dm`, limit: dmPerSecond, windowMs: SECOND_MS };
}
