import type { RateRule } from '@tieline/rate-limit';

const MINUTE_MS = 60_000;
const PER_USER_AND_MESSAGE = 30;
const PER_BOT = 600;
const SECOND_MS = 1_000;
const SUGGESTIONS_PER_USER = 10;
const SUGGESTIONS_PER_BOT = 100;

/**
 * What one interaction counts against (contract, Limits): 30 a minute of one person on one message,
 * 600 a minute of everybody on one bot's messages. Submitted modals that are not validated count as
 * clicks; the product's own messages have no bot.
 */
export function clickRules(userId: string, messageId: string, botId: string | undefined): RateRule[] {
  const key = `clicks:{${botId ?? messageId}}`;
  const rules = [
    { key: `${key}:message:${messageId}:user:${userId}`, limit: PER_USER_AND_MESSAGE, windowMs: MINUTE_MS },
  ];
  return botId === undefined ? rules : [...rules, { key: `${key}:bot`, limit: PER_BOT, windowMs: MINUTE_MS }];
}

/** What asking a bot for the options of a field counts against: somebody types, and many may. */
export function suggestionRules({ userId, botId }: { userId: string; botId: string }): RateRule[] {
  const key = `modal-options:{${botId}}`;
  return [
    { key: `${key}:user:${userId}`, limit: SUGGESTIONS_PER_USER, windowMs: SECOND_MS },
    { key: `${key}:all`, limit: SUGGESTIONS_PER_BOT, windowMs: SECOND_MS },
  ];
}
