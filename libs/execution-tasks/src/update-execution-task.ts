import { isMember } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { fingerprint } from '@tieline/platform/idempotency';
import { changeTask } from './change-task.js';
import type { ExecutionTask } from './execution-task.queries.js';
import { isTerminal, statusAfter } from './execution-task.states.js';
import type { TaskAction, TaskStatus } from './execution-task.states.js';
import { botNotInConversation, keyReused, staleSequence, taskIsTerminal } from './execution-tasks.errors.js';
import { lockOwnTask } from './own-task.js';

/** A bot's change of its task. */
export interface TaskUpdate {
  action: TaskAction;
  /** Heeded with action `update` only. */
  status: TaskStatus | undefined;
  /** The task's present one. */
  sequence: number;
  title: string | undefined;
  description: string | undefined;
  publicText: string | undefined;
}

/**
 * Changes a task (contract, Execution tasks). With a key that an accepted change had before, nothing happens.
 * @throws 404 unknown; 403 another bot's, or the bot is no member any more; 409 terminal, another sequence than the present one, the key was used for another change
 */
export async function updateExecutionTask(
  db: Db,
  bot: BotPrincipal,
  widgetId: string,
  key: string | undefined,
  update: TaskUpdate,
): Promise<ExecutionTask> {
  return runInTx(db, async (tx) => {
    const task = await lockOwnTask(tx, bot, widgetId);
    // A change is shown to people: a bot that was removed may only cancel (contract, Errors: no access to the conversation).
    if (!(await isMember(tx, task.spaceId, task.channelId, bot.botId))) throw botNotInConversation();
    if (key !== undefined && (await isRepeat(tx, task, key, update))) return task;
    if (isTerminal(task.status)) throw taskIsTerminal();
    if (update.sequence !== task.sequence) throw staleSequence();
    if (key !== undefined) await remember(tx, task, key, update);
    const { action, status, title, description, publicText } = update;
    return changeTask(tx, task, {
      status: statusAfter(action, task.status, status),
      title,
      description,
      publicText,
    });
  });
}

/** The caller holds the task's row lock. */
async function isRepeat(
  tx: Tx,
  { spaceId, widgetId }: ExecutionTask,
  key: string,
  update: TaskUpdate,
): Promise<boolean> {
  const [seen] = await tx.query<{ fingerprint: Buffer }>(
    'SELECT fingerprint FROM execution_task_updates WHERE space_id = $1 AND widget_id = $2 AND idempotency_key = $3',
    [spaceId, widgetId, key],
  );
  if (!seen) return false;
  if (!seen.fingerprint.equals(fingerprint(update))) throw keyReused();
  return true;
}

async function remember(
  tx: Tx,
  { spaceId, widgetId }: ExecutionTask,
  key: string,
  update: TaskUpdate,
): Promise<void> {
  await tx.query(
    'INSERT INTO execution_task_updates (space_id, widget_id, idempotency_key, fingerprint) VALUES ($1, $2, $3, $4)',
    [spaceId, widgetId, key, fingerprint(update)],
  );
}
