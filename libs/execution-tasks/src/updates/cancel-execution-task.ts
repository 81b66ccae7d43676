import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { changeTask } from '../states/change-task.js';
import type { ExecutionTask } from '../execution-task.entity.js';
import { lockOwnTask } from '../execution-task.queries.js';

/**
 * Cancels a task of the bot.
 *
 * @throws 404 unknown; 403 another bot's; 409 terminal
 */
export async function cancelExecutionTask(
  db: Db,
  bot: BotPrincipal,
  widgetId: string,
): Promise<ExecutionTask> {
  return runInTx(
    db,
    async (tx) => changeTask(tx, await lockOwnTask(tx, bot, widgetId), { status: 'cancelled' }),
    { spaceId: bot.spaceId, place: widgetId },
  );
}
