import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { changeTask } from '../states/change-task.js';
import type { ExecutionTask } from '../execution-task.entity.js';
import { lockTaskOfMember } from './task-of-member.js';

/**
 * Closes an unfinished task on behalf of a member: docs/execution-tasks.md#review-and-close.
 *
 * @throws 404 unknown; 403 not a member; 409 terminal
 */
export async function closeExecutionTask(
  db: Db,
  person: UserPrincipal,
  widgetId: string,
): Promise<ExecutionTask> {
  return runInTx(
    db,
    async (tx) => changeTask(tx, await lockTaskOfMember(tx, person, widgetId), { status: 'closed' }),
    { spaceId: person.spaceId, place: widgetId },
  );
}
