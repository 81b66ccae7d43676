import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { isTerminal } from '../execution-task.states.js';
import { runActive, taskIsTerminal, taskNotFound } from '../execution-tasks.errors.js';
import { lockOwnTask } from '../own-task.js';
import type { RunLink } from './task-runs.js';

/**
 * Gives one of the bot's tasks a run that begins, in the transaction that writes the run, whose lock it takes first. Nothing else
 * about the task changes.
 * @throws 404 unknown, or of another conversation; 403 another bot's; 409 terminal, or a run is working on it
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
  await tx.query(
    'UPDATE execution_tasks SET agent_run_id = $3, run_active = true WHERE space_id = $1 AND id = $2',
    [bot.spaceId, widgetId, runId],
  );
}
