import type { EditMessage } from '@tieline/conversations';
import type { Db } from '@tieline/platform/database';
import { toRun } from '../agent-run.queries.js';
import { FIND_INACTIVE, LOCK_INACTIVE } from '../agent-runs.statements.js';
import type { AgentRun } from '../agent-run.entity.js';
import { endingByServer } from './cancel-agent-run.js';
import { finishRun } from './finish-agent-run.js';
import { eachInBatches } from '../placeholders/each-in-batches.js';
import type { RunRef } from '../placeholders/placeholder-edits.js';
import type { BatchPosition } from '../placeholders/each-in-batches.js';

/**
 * Expires runs that no bot has changed for this long: docs/agent-runs.md#cancel-and-expiry. Uses a
 * transaction per run. A run being changed is left to the next execution.
 *
 * @returns the errors of runs that could not be ended
 */
export function expireAgentRuns(
  db: Db,
  editMessage: EditMessage,
  timeoutSeconds: number,
): Promise<unknown[]> {
  const find = (after: BatchPosition | undefined, limit: number): Promise<(BatchPosition & RunRef)[]> =>
    db.query(FIND_INACTIVE, [timeoutSeconds, after?.at ?? null, after?.id ?? null, limit]);
  return eachInBatches(find, async (run) => void (await expireRun(db, editMessage, run, timeoutSeconds)));
}

/**
 * Expires a run.
 *
 * @returns undefined if it is being changed, or has been since it was found
 */
export async function expireRun(
  db: Db,
  editMessage: EditMessage,
  { spaceId, id }: RunRef,
  timeoutSeconds: number,
): Promise<AgentRun | undefined> {
  return finishRun<undefined>(
    db,
    editMessage,
    async (tx) => {
      const [row] = await tx.query(LOCK_INACTIVE, [spaceId, id, timeoutSeconds]);
      if (!row) return { unchanged: undefined };
      const run = toRun(row);
      return { run, ending: endingByServer(run, 'expired') };
    },
    { spaceId, place: id },
  );
}
