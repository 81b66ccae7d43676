import { botWriteRule } from '@tieline/conversations';
import type { AppConfig } from '@tieline/platform/config';
import type { BotPrincipal } from '@tieline/platform/http';
import type { RateRule } from '@tieline/platform/rate-limit';

/** RATE_TASK_WRITES_PER_SECOND, per bot, and the cap of all its writes; both in fixed windows of one second. */
export function taskWriteRules(config: AppConfig, { botId }: BotPrincipal): RateRule[] {
  return [
    { key: `bot:{${botId}}:tasks`, limit: config.rateTaskWritesPerSecond, windowMs: 1000 },
    botWriteRule(config, botId),
  ];
}
