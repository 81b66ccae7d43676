import { chatAccess } from '@tieline/conversations';
import type { Db, RowOf, Tx } from '@tieline/platform/database';
import { pageCursor, pageOf } from '@tieline/platform/http';
import type { BotPrincipal, Page, PageQuery, UserPrincipal } from '@tieline/platform/http';
import { LIST_TASKS } from './execution-tasks.statements.js';
import { ExecutionTask } from './execution-task.entity.js';
import { taskNotFound, taskOfAnotherBot } from './execution-tasks.errors.js';

const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Returns the task, or undefined if the space has none with this id. */
export async function findTask(
  db: Db,
  spaceId: string,
  widgetId: string,
): Promise<ExecutionTask | undefined> {
  return (await db.manager.findOneBy(ExecutionTask, { spaceId, widgetId })) ?? undefined;
}

/** Returns the task with its row locked until the end of the transaction. */
export async function lockTask(
  tx: Tx,
  spaceId: string,
  widgetId: string,
): Promise<ExecutionTask | undefined> {
  const task = await tx.manager.findOne(ExecutionTask, {
    where: { spaceId, widgetId },
    lock: { mode: 'for_no_key_update' },
  });
  return task ?? undefined;
}

/** Returns the task a bot created under an idempotency key. */
export async function findTaskByKey(
  { manager }: Db | Tx,
  spaceId: string,
  botId: string,
  idempotencyKey: string,
): Promise<ExecutionTask | undefined> {
  return (await manager.findOneBy(ExecutionTask, { spaceId, botId, idempotencyKey })) ?? undefined;
}

/**
 * Returns a task of the calling bot.
 *
 * @throws 404 unknown or of another space; 403 another bot's
 */
export async function requireOwnTask(db: Db, bot: BotPrincipal, widgetId: string): Promise<ExecutionTask> {
  return owned(await findTask(db, bot.spaceId, widgetId), bot);
}

/** Like {@link requireOwnTask}, with its row locked until the end of the transaction. */
export async function lockOwnTask(tx: Tx, bot: BotPrincipal, widgetId: string): Promise<ExecutionTask> {
  return owned(await lockTask(tx, bot.spaceId, widgetId), bot);
}

function owned(task: ExecutionTask | undefined, { botId }: BotPrincipal): ExecutionTask {
  if (!task) throw taskNotFound();
  if (task.botId !== botId) throw taskOfAnotherBot();
  return task;
}

/** A task with the root message of its thread. */
export type ListedTask = RowOf<typeof LIST_TASKS>;

/**
 * Returns the tasks of a channel and its threads, or of one thread, newest first. The cursor is the
 * last id.
 *
 * @throws 404 unknown in the caller's space; 403 not readable by the caller; 400 a bad cursor
 */
export async function listTasks(
  db: Db,
  caller: UserPrincipal,
  conversationId: string,
  { active, thread_id: threadId, limit, cursor }: PageQuery & { active?: boolean; thread_id?: string },
): Promise<Page<ListedTask>> {
  const before = pageCursor(cursor) || LAST;
  const { conversation } = await chatAccess.requireReadable(db, caller, conversationId);
  const { spaceId, channelId, rootMessageId } = conversation;
  const rows = await db.query(LIST_TASKS, {
    spaceId,
    channelId,
    rootMessageId: threadId ?? rootMessageId,
    active: active ?? null,
    before,
    limit: limit + 1,
  });
  return pageOf(rows, limit, ({ widgetId }) => widgetId);
}
