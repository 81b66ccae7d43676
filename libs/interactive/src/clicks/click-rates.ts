import type { RateRule } from '@tieline/rate-limit';

const MINUTE_MS = 60_000;
const PER_USER_AND_MESSAGE = 30;
const PER_BOT = 600;
const SECOND_MS = 1_000;
const SUGGESTIONS_PER_USER = 10;
const SUGGESTIONS_PER_BOT = 100;

/**
 * Returns the rate limits of one interaction: 30 per minute for one person on one message, and 600
 * per minute for all clicks on one bot's messages. Submissions of modals without validation count
 * as clicks. The product's own messages have no bot.
 */
export function clickRules(userId: string, messageId: string, botId: string | undefined): RateRule[] {
  const key = `clicks:{${botId ?? messageId}}`;
  const rules = [
    { key: `${key}:message:${messageId}:user:${userId}`, limit: PER_USER_AND_MESSAGE, windowMs: MINUTE_MS },
  ];
  return botId === undefined ? rules : [...rules, { key: `${key}:bot`, limit: PER_BOT, windowMs: MINUTE_MS }];
}

/**
 * Returns the rate limits for requesting the options of a field. They are higher because each
 * keystroke sends a request.
 */
export function suggestionRules({ userId, botId }: { userId: string; botId: string }): RateRule[] {
  const key = `modal-options:{${botId}}`;
  return [
    { key: `${key}:user:${userId}`, limit: SUGGESTIONS_PER_USER, windowMs: SECOND_MS },
    { key: `${key}:all`, limit: SUGGESTIONS_PER_BOT, windowMs: SECOND_MS },
  ];
}
