import { Injectable } from '@nestjs/common';
import { BotRates } from '@tieline/conversations';
import type { BotPrincipal } from '@tieline/platform/http';
import { charged, RateLimiter } from '@tieline/rate-limit';
import { AgentRunSettings } from '../agent-runs.settings.js';

const SECOND_MS = 1000;
/** docs/agent-runs.md#append-text. */
const APPENDS_PER_SECOND = 50;

/** Charges requests about runs to their rates. */
@Injectable()
export class RunRates {
  constructor(
    private readonly settings: AgentRunSettings,
    private readonly bots: BotRates,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Counts a new run and creates it: RATE_AGENT_RUN_CREATE_PER_SECOND per bot and conversation from
   * the request, plus the bot's write limit. @throws 429
   */
  chargedCreation<T>(bot: BotPrincipal, conversationId: string, work: () => Promise<T>): Promise<T> {
    const key = `bot:{${bot.botId}}:runs:${conversationId}`;
    const rules = [{ key, limit: this.settings.createdPerSecond, windowMs: SECOND_MS }];
    return this.bots.charge(rules, bot, work);
  }

  /** Counts an append, independent of all other rates, and applies it. @throws 429 */
  chargedAppend<T>({ botId }: BotPrincipal, runId: string, work: () => Promise<T>): Promise<T> {
    const key = `bot:{${botId}}:run:${runId}:appends`;
    return charged(this.limiter, [{ key, limit: APPENDS_PER_SECOND, windowMs: SECOND_MS }], work);
  }

  /**
   * Counts a change or cancel and applies it: RATE_AGENT_RUN_UPDATE_PER_SECOND per bot and run,
   * plus the bot's write limit. @throws 429
   */
  chargedChange<T>(bot: BotPrincipal, runId: string, work: () => Promise<T>): Promise<T> {
    const key = `bot:{${bot.botId}}:run:${runId}`;
    const rules = [{ key, limit: this.settings.updatesPerSecond, windowMs: SECOND_MS }];
    return this.bots.charge(rules, bot, work);
  }
}
