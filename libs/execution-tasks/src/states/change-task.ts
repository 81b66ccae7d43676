import type { Tx } from '@tieline/platform/database';
import type { Artifact, ExecutionTask } from '../execution-task.entity.js';
import { CHANGE_TASK } from '../execution-tasks.statements.js';
import { isTerminal, mayBecome } from './execution-task.states.js';
import type { TaskStatus } from './execution-task.states.js';
import { notCompleted, taskIsTerminal } from '../execution-tasks.errors.js';
import { appendTaskUpdated } from '../events/task-events.js';

/** What becomes of a task; what is left out stays. */
export interface TaskChange {
  status: TaskStatus;
  title?: string;
  description?: string;
  publicText?: string;
  /** Left out: gone, unless the task stays blocked. */
  errorCode?: string;
  /** The linked run has ended. */
  runEnded?: boolean;
  /** Added to those that are there. */
  artifacts?: readonly Artifact[];
}

/**
 * Writes one change of a task, raises its sequence by one and tells people's streams. The caller
 * holds the task's row lock ({@link ExecutionTask} was read under it).
 * @throws 409 when the state table forbids it
 */
export async function changeTask(tx: Tx, task: ExecutionTask, change: TaskChange): Promise<ExecutionTask> {
  if (isTerminal(task.status)) throw taskIsTerminal();
  if (!mayBecome(task.status, change.status)) throw notCompleted();
  const errorCode = change.errorCode ?? (change.status === 'blocked' ? task.errorCode : '');
  const [changed] = await tx.query(CHANGE_TASK, [
    task.spaceId,
    task.widgetId,
    change.status,
    change.title ?? task.title,
    change.description ?? task.description,
    change.publicText ?? task.publicText,
    errorCode,
    task.runActive && change.runEnded !== true,
    JSON.stringify(change.artifacts ?? []),
    isTerminal(change.status),
  ]);
  if (!changed) throw new Error('a locked task is gone');
  await appendTaskUpdated(tx, changed);
  return changed;
}
