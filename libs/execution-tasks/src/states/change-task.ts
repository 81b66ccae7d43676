import type { Tx } from '@tieline/platform/database';
import type { Artifact, ExecutionTask } from '../execution-task.entity.js';
import { CHANGE_TASK } from '../execution-tasks.statements.js';
import { isTerminal, canTransition } from './execution-task.states.js';
import type { TaskStatus } from './execution-task.states.js';
import { notCompleted, taskIsTerminal } from '../execution-tasks.errors.js';
import { appendTaskUpdated } from '../events/task-events.js';

/** Changes of a task. Omitted fields stay. */
export interface TaskChange {
  status: TaskStatus;
  title?: string;
  description?: string;
  publicText?: string;
  /** Omitted: removed, unless the task stays blocked. */
  errorCode?: string;
  /** Whether the linked run has ended. */
  runEnded?: boolean;
  /** Added to the existing ones. */
  artifacts?: readonly Artifact[];
}

/**
 * Writes a change of a task, increments its sequence and notifies people's streams. The caller
 * holds the task's row lock and has read {@link ExecutionTask} under it.
 *
 * @throws 409 if the state table forbids it
 */
export async function changeTask(tx: Tx, task: ExecutionTask, change: TaskChange): Promise<ExecutionTask> {
  if (isTerminal(task.status)) throw taskIsTerminal();
  if (!canTransition(task.status, change.status)) throw notCompleted();
  const errorCode = change.errorCode ?? (change.status === 'blocked' ? task.errorCode : '');
  const [changed] = await tx.query(CHANGE_TASK, {
    spaceId: task.spaceId,
    widgetId: task.widgetId,
    status: change.status,
    title: change.title ?? task.title,
    description: change.description ?? task.description,
    publicText: change.publicText ?? task.publicText,
    errorCode,
    runActive: task.runActive && change.runEnded !== true,
    artifacts: JSON.stringify(change.artifacts ?? []),
    isClosed: isTerminal(change.status),
  });
  if (!changed) throw new Error('a locked task is missing');
  await appendTaskUpdated(tx, changed);
  return changed;
}
