import type { Tx } from '@tieline/platform/database';
import { changeTask } from '../states/change-task.js';
import { lockTask } from '../execution-task.queries.js';
import type { Artifact } from '../execution-task.entity.js';
import { isTerminal, statusAfterRun } from '../states/execution-task.states.js';
import type { RunEnd } from '../states/execution-task.states.js';

/** The end of a run. */
export interface EndedRun {
  spaceId: string;
  widgetId: string;
  end: RunEnd;
  /** The run's last visible text. If empty, the task keeps its own. */
  publicText: string;
  errorCode: string;
  /** Verified files only. */
  artifacts: readonly Artifact[];
}

/**
 * Moves the linked task to the status that follows from the run's end:
 * docs/execution-tasks.md#tasks-with-a-run. A terminal task stays unchanged. Call it in the
 * transaction that ends the run, with the run already locked.
 */
export async function endRun(
  tx: Tx,
  { spaceId, widgetId, end, publicText, errorCode, artifacts }: EndedRun,
): Promise<void> {
  const task = await lockTask(tx, spaceId, widgetId);
  if (!task || isTerminal(task.status)) return;
  await changeTask(tx, task, {
    status: statusAfterRun(end),
    errorCode,
    artifacts,
    runEnded: true,
    ...(publicText !== '' && { publicText }),
  });
}
