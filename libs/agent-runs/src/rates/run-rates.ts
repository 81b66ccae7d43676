import { botWriteRule } from '@tieline/conversations';
import type { AppConfig } from '@tieline/platform/config';
import type { BotPrincipal } from '@tieline/platform/http';
import type { RateRule } from '@tieline/platform/rate-limit';

const SECOND_MS = 1000;

/** RATE_AGENT_RUN_CREATE_PER_SECOND, per bot and conversation as named, and the cap of all its writes. */
export function runCreateRules(
  config: AppConfig,
  { botId }: BotPrincipal,
  conversationId: string,
): RateRule[] {
  return [
    {
      key: `bot:{${botId}}:runs:${conversationId}`,
      limit: config.rateAgentRunCreatePerSecond,
      windowMs: SECOND_MS,
    },
    botWriteRule(config, botId),
  ];
}

/** RATE_AGENT_RUN_UPDATE_PER_SECOND, per bot and run, shared by changes and cancel, and the cap of all its writes. */
export function runUpdateRules(config: AppConfig, { botId }: BotPrincipal, runId: string): RateRule[] {
  return [
    { key: `bot:{${botId}}:run:${runId}`, limit: config.rateAgentRunUpdatePerSecond, windowMs: SECOND_MS },
    botWriteRule(config, botId),
  ];
}
