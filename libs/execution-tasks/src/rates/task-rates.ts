import { Injectable } from '@nestjs/common';
import { BotRates } from '@tieline/conversations';
import type { BotPrincipal } from '@tieline/platform/http';
import type { Repeats } from '@tieline/rate-limit';
import { TaskSettings } from '../execution-tasks.settings.js';

/** Charges writes of tasks to their rates. */
@Injectable()
export class TaskRates {
  constructor(
    private readonly settings: TaskSettings,
    private readonly bots: BotRates,
  ) {}

  /**
   * Counts a write and runs it: RATE_TASK_WRITES_PER_SECOND per bot, plus the bot's write limit;
   * both in fixed windows of one second. @throws 429
   */
  charged<T>(bot: BotPrincipal, work: () => Promise<T>, repeats: Repeats<T> = {}): Promise<T> {
    const key = `bot:{${bot.botId}}:tasks`;
    const rules = [{ key, limit: this.settings.writesPerSecond, windowMs: 1000 }];
    return this.bots.charge(rules, bot, work, repeats);
  }
}
