import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { ExecutionTask } from '../execution-task.entity.js';
import { isTerminal } from '../states/execution-task.states.js';
import { runActive, taskIsTerminal, taskNotFound } from '../execution-tasks.errors.js';
import { lockOwnTask } from '../execution-task.queries.js';
import type { RunLink } from './task-runs.js';

/**
 * Links a new run to one of the bot's tasks, in the transaction that writes the run. Takes the
 * task's lock before the run's. Nothing else about the task changes.
 *
 * @throws 404 unknown, or of another conversation; 403 another bot's; 409 terminal, or a run is
 * working on it
 */
export async function linkRun(
  tx: Tx,
  bot: BotPrincipal,
  { widgetId, runId, channelId }: RunLink,
): Promise<void> {
  const task = await lockOwnTask(tx, bot, widgetId);
  if (task.channelId !== channelId) throw taskNotFound();
  if (isTerminal(task.status)) throw taskIsTerminal();
  if (task.runActive) throw runActive();
  await tx.manager.update(
    ExecutionTask,
    { spaceId: bot.spaceId, widgetId },
    { agentRunId: runId, runActive: true },
  );
}
