import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { changeTask } from '../states/change-task.js';
import type { ExecutionTask } from '../execution-task.entity.js';
import type { Decision } from '../states/execution-task.states.js';
import { lockTaskOfMember } from './task-of-member.js';

/**
 * Accepts or rejects completed work on behalf of a member:
 * docs/execution-tasks.md#review-and-close.
 *
 * @throws 404 unknown; 403 not a member; 409 terminal, or not completed
 */
export async function reviewExecutionTask(
  db: Db,
  person: UserPrincipal,
  widgetId: string,
  decision: Decision,
): Promise<ExecutionTask> {
  return runInTx(
    db,
    async (tx) => changeTask(tx, await lockTaskOfMember(tx, person, widgetId), { status: decision }),
    { spaceId: person.spaceId, place: widgetId },
  );
}
