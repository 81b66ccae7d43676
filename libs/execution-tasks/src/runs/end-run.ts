import type { Tx } from '@tieline/platform/database';
import { changeTask } from '../states/change-task.js';
import { lockTask } from '../execution-task.queries.js';
import type { Artifact } from '../execution-task.entity.js';
import { isTerminal, statusAfterRun } from '../states/execution-task.states.js';
import type { RunEnd } from '../states/execution-task.states.js';

/** How a run ended. */
export interface EndedRun {
  spaceId: string;
  widgetId: string;
  end: RunEnd;
  /** The run's last visible text; empty: the task keeps its own. */
  publicText: string;
  errorCode: string;
  /** Verified files only. */
  artifacts: readonly Artifact[];
}

/**
 * Moves the linked task as the state table says (contract, States); a terminal task stays as it is.
 * In the transaction that ends the run, which has locked the run already.
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
