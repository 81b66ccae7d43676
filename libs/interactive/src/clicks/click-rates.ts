import type { RateRule } from '@tieline/rate-limit';

const MINUTE_MS = 60_000;
const PER_USER_AND_MESSAGE = 30;
const PER_BOT = 600;

/**
 * What one interaction counts against (contract, Limits): 30 a minute of one person on one message, 600 a minute of
 * everybody on one bot's messages. Submitted modals count as clicks; the product's own messages have no bot.
 */
export function clickRules(userId: string, messageId: string, botId: string | undefined): RateRule[] {
  const key = `clicks:{${botId ?? messageId}}`;
  const rules = [
    { key: `${key}:message:${messageId}:user:${userId}`, limit: PER_USER_AND_MESSAGE, windowMs: MINUTE_MS },
  ];
  return botId === undefined ? rules : [...rules, { key: `${key}:bot`, limit: PER_BOT, windowMs: MINUTE_MS }];
}
