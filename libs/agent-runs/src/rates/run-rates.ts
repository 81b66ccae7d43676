import { Injectable } from '@nestjs/common';
import { BotRateSettings, botWriteRule } from '@tieline/conversations';
import type { BotPrincipal } from '@tieline/platform/http';
import type { RateRule } from '@tieline/rate-limit';
import { AgentRunSettings } from '../agent-runs.settings.js';

const SECOND_MS = 1000;
/** docs/agent-runs.md#append-text. */
const APPENDS_PER_SECOND = 50;

/** Rates of runs. */
@Injectable()
export class RunRates {
  constructor(
    private readonly runs: AgentRunSettings,
    private readonly bots: BotRateSettings,
  ) {}

  /**
   * RATE_AGENT_RUN_CREATE_PER_SECOND per bot and conversation from the request, plus the bot's
   * write limit.
   */
  ofNewRuns({ botId }: BotPrincipal, conversationId: string): RateRule[] {
    const key = `bot:{${botId}}:runs:${conversationId}`;
    return [{ key, limit: this.runs.createdPerSecond, windowMs: SECOND_MS }, botWriteRule(this.bots, botId)];
  }

  /** Rate of appends per run, independent of all other rates. */
  ofAppends({ botId }: BotPrincipal, runId: string): RateRule[] {
    const key = `bot:{${botId}}:run:${runId}:appends`;
    return [{ key, limit: APPENDS_PER_SECOND, windowMs: SECOND_MS }];
  }

  /**
   * RATE_AGENT_RUN_UPDATE_PER_SECOND per bot and run, shared by changes and cancels, plus the bot's
   * write limit.
   */
  ofChanges({ botId }: BotPrincipal, runId: string): RateRule[] {
    const key = `bot:{${botId}}:run:${runId}`;
    return [{ key, limit: this.runs.updatesPerSecond, windowMs: SECOND_MS }, botWriteRule(this.bots, botId)];
  }
}
