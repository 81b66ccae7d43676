import type { Queryable, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { findTask, lockTask } from './execution-task.queries.js';
import type { ExecutionTask } from './execution-task.queries.js';
import { taskNotFound, taskOfAnotherBot } from './execution-tasks.errors.js';

/** A task of the calling bot. @throws 404 unknown or of another space; 403 another bot's */
export async function requireOwnTask(
  q: Queryable,
  bot: BotPrincipal,
  widgetId: string,
): Promise<ExecutionTask> {
  return owned(await findTask(q, bot.spaceId, widgetId), bot);
}

/** {@link requireOwnTask} with its row locked until the end of the transaction. */
export async function lockOwnTask(tx: Tx, bot: BotPrincipal, widgetId: string): Promise<ExecutionTask> {
  return owned(await lockTask(tx, bot.spaceId, widgetId), bot);
}

function owned(task: ExecutionTask | undefined, { botId }: BotPrincipal): ExecutionTask {
  if (!task) throw taskNotFound();
  if (task.botId !== botId) throw taskOfAnotherBot();
  return task;
}
