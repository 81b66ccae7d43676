import { chatAccess, chatErrors } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { lockTask } from '../execution-task.queries.js';
import type { ExecutionTask } from '../execution-task.entity.js';
import { taskNotFound } from '../execution-tasks.errors.js';

/**
 * Returns a task of a conversation that the person is a member of, with its row locked until the
 * end of the transaction.
 *
 * @throws 404 unknown; 403 not a member
 */
export async function lockTaskOfMember(
  tx: Tx,
  { spaceId, userId }: UserPrincipal,
  widgetId: string,
): Promise<ExecutionTask> {
  const task = await lockTask(tx, spaceId, widgetId);
  if (!task) throw taskNotFound();
  if (!(await chatAccess.isMember(tx, spaceId, task.channelId, userId))) throw chatErrors.notMember();
  return task;
}
