import { isMember } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { changeTask } from '../change-task.js';
import { lockTask } from '../execution-task.queries.js';
import type { ExecutionTask } from '../execution-task.queries.js';
import type { Decision } from '../execution-task.states.js';
import { notMember, taskNotFound } from '../execution-tasks.errors.js';

/**
 * A person who is a member of the conversation accepts or rejects completed work, or closes a task (decisions, section 6).
 * @throws 404 unknown; 403 no member; 409 terminal, or a review of what is not completed
 */
export async function judgeExecutionTask(
  db: Db,
  { spaceId, userId }: UserPrincipal,
  widgetId: string,
  verdict: Decision | 'closed',
): Promise<ExecutionTask> {
  return runInTx(db, async (tx) => {
    const task = await lockTask(tx, spaceId, widgetId);
    if (!task) throw taskNotFound();
    if (!(await isMember(tx, spaceId, task.channelId, userId))) throw notMember();
    return changeTask(tx, task, { status: verdict });
  });
}
