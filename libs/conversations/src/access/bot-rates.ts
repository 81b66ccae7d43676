import type { BotRateSettings } from '../conversations.settings.js';
import type { RateRule } from '@tieline/rate-limit';

const SECOND_MS = 1000;

/*
 * The limits of what a bot does, all fixed windows of one second. The bot's id in braces keeps the
 * counters of one call on one node of a Redis cluster.
 */

/**
 * RATE_BOT_WRITES_PER_SECOND: every request of a bot that changes something counts, whatever it
 * changes.
 */
export function botWriteRule({ writesPerSecond }: BotRateSettings, botId: string): RateRule {
  return { key: `bot:{${botId}}:writes`, limit: writesPerSecond, windowMs: SECOND_MS };
}

/**
 * RATE_BOT_MESSAGES_PER_SECOND: one counter per bot and conversation as the caller names it, shared
 * by sends, edits, upload sessions and confirms (decisions, section 3).
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

/** RATE_DM_PER_SECOND: direct conversations that a bot opens. */
export function botDmRule({ dmPerSecond }: BotRateSettings, botId: string): RateRule {
  return { key: `bot:{${botId}}:dm`, limit: dmPerSecond, windowMs: SECOND_MS };
}
