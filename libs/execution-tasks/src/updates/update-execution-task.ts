import { chatAccess, chatErrors } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db, Queryable, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { fingerprint } from '@tieline/idempotency';
import { changeTask } from '../states/change-task.js';
import type { ExecutionTask } from '../execution-task.entity.js';
import { FIND_UPDATE, REMEMBER_UPDATE } from '../execution-tasks.statements.js';
import { isTerminal, statusAfter } from '../states/execution-task.states.js';
import type { TaskAction, TaskStatus } from '../states/execution-task.states.js';
import { keyReused, staleSequence, taskIsTerminal } from '../execution-tasks.errors.js';
import { lockOwnTask, requireOwnTask } from '../execution-task.queries.js';

/** A bot's update of its task. */
export interface TaskUpdate {
  action: TaskAction;
  /** Used with action `update` only. */
  status: TaskStatus | undefined;
  /** The task's current sequence. */
  sequence: number;
  title: string | undefined;
  description: string | undefined;
  publicText: string | undefined;
}

/** A task after an update. */
export interface UpdatedTask {
  task: ExecutionTask;
  /** Whether the same request was accepted before, so that nothing changed now. */
  isRepeat: boolean;
}

/**
 * Updates a task: docs/execution-tasks.md#update-a-task. If an accepted update had the same key,
 * nothing happens.
 *
 * @throws 404 unknown. 403 another bot's, or the bot is no longer a member. 409 terminal, a
 * sequence other than the current one, or the key was used for another update.
 */
export async function updateExecutionTask(
  db: Db,
  bot: BotPrincipal,
  widgetId: string,
  key: string | undefined,
  update: TaskUpdate,
): Promise<UpdatedTask> {
  return runInTx(
    db,
    async (tx) => {
      const task = await lockOwnTask(tx, bot, widgetId);
      // Updates are visible, so a bot that was removed from the conversation may only cancel.
      if (!(await chatAccess.isMember(tx, task.spaceId, task.channelId, bot.botId)))
        throw chatErrors.botNotInConversation();
      if (key !== undefined && (await isRepeat(tx, task, key, update))) return { task, isRepeat: true };
      if (isTerminal(task.status)) throw taskIsTerminal();
      if (update.sequence !== task.sequence) throw staleSequence();
      if (key !== undefined) await remember(tx, task, key, update);
      const { action, status, title, description, publicText } = update;
      const next = statusAfter(action, task.status, status);
      const changed = await changeTask(tx, task, { status: next, title, description, publicText });
      return { task: changed, isRepeat: false };
    },
    { spaceId: bot.spaceId, place: widgetId },
  );
}

/**
 * Returns the current task if an accepted update had this key.
 *
 * @throws 404, 403. 409 the key was used for another update.
 */
export async function findRepeatedUpdate(
  db: Db,
  bot: BotPrincipal,
  widgetId: string,
  key: string | undefined,
  update: TaskUpdate,
): Promise<UpdatedTask | undefined> {
  if (key === undefined) return undefined;
  const task = await requireOwnTask(db, bot, widgetId);
  return (await isRepeat(db, task, key, update)) ? { task, isRepeat: true } : undefined;
}

async function isRepeat(
  tx: Queryable,
  { spaceId, widgetId }: ExecutionTask,
  key: string,
  update: TaskUpdate,
): Promise<boolean> {
  const [seen] = await tx.query(FIND_UPDATE, [spaceId, widgetId, key]);
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
  await tx.query(REMEMBER_UPDATE, {
    spaceId,
    widgetId,
    idempotencyKey: key,
    fingerprint: fingerprint(update),
  });
}
