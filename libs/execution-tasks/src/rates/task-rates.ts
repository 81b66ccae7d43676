import { Injectable } from '@nestjs/common';
import { BotRateSettings, botWriteRule } from '@tieline/conversations';
import type { BotPrincipal } from '@tieline/platform/http';
import type { RateRule } from '@tieline/rate-limit';
import { TaskSettings } from '../execution-tasks.settings.js';

/** Rates of task writes. */
@Injectable()
export class TaskRates {
  constructor(
    private readonly tasks: TaskSettings,
    private readonly bots: BotRateSettings,
  ) {}

  /**
   * RATE_TASK_WRITES_PER_SECOND per bot, plus the bot's write limit; both in fixed windows of one
   * second.
   */
  ofWrites({ botId }: BotPrincipal): RateRule[] {
    return [
      { key: `bot:{${botId}}:tasks`, limit: this.tasks.writesPerSecond, windowMs: 1000 },
      botWriteRule(this.bots, botId),
    ];
  }
}
