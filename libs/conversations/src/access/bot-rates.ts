import { Injectable } from '@nestjs/common';
import type { BotPrincipal } from '@tieline/platform/http';
import { charged, RateLimiter } from '@tieline/rate-limit';
import type { RateRule, Repeats } from '@tieline/rate-limit';
import { BotRateSettings } from '../conversations.settings.js';

const SECOND_MS = 1000;

/*
 * Rate limits of bots: fixed windows of one second. The braces around the bot's id keep all
 * counters of one call on the same node of a Redis cluster (docs/bots.md#rates).
 */

/** RATE_BOT_WRITES_PER_SECOND: counts every write request of a bot. */
export function botWriteRule({ writesPerSecond }: BotRateSettings, botId: string): RateRule {
  return { key: `bot:{${botId}}:writes`, limit: writesPerSecond, windowMs: SECOND_MS };
}

type Bot = Pick<BotPrincipal, 'botId'>;

/** Counts writes of bots and runs them. Every method throws 429 when a rate is used up. */
@Injectable()
export class BotRates {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: BotRateSettings,
  ) {}

  /** Charges the write rate. */
  write<T>(bot: Bot, work: () => Promise<T>, repeats?: Repeats<T>): Promise<T> {
    return this.charge([], bot, work, repeats);
  }

  /**
   * Charges the write rate and RATE_BOT_MESSAGES_PER_SECOND: one counter per bot and conversation
   * id in the request. Sends, edits, upload sessions and upload confirmations share it.
   */
  message<T>(bot: Bot, conversationId: string, work: () => Promise<T>, repeats?: Repeats<T>): Promise<T> {
    const key = `bot:{${bot.botId}}:messages:${conversationId}`;
    const rule = { key, limit: this.settings.messagesPerSecond, windowMs: SECOND_MS };
    return this.charge([rule], bot, work, repeats);
  }

  /** Charges the write rate and RATE_DM_PER_SECOND: direct conversations opened by a bot. */
  dm<T>(bot: Bot, work: () => Promise<T>): Promise<T> {
    const key = `bot:{${bot.botId}}:dm`;
    return this.charge([{ key, limit: this.settings.dmPerSecond, windowMs: SECOND_MS }], bot, work);
  }

  /** Charges these rules and the write rate. */
  charge<T>(rules: RateRule[], { botId }: Bot, work: () => Promise<T>, repeats: Repeats<T> = {}): Promise<T> {
    return charged(this.limiter, [...rules, botWriteRule(this.settings, botId)], work, repeats);
  }
}
