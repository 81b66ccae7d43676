import type { EditMessage } from '@tieline/conversations';
import type { Db } from '@tieline/platform/database';
import { RUN_COLUMNS, toRun } from '../agent-run.queries.js';
import type { AgentRun, AgentRunRow } from '../agent-run.queries.js';
import { endingByServer } from './cancel-agent-run.js';
import { finishRun } from './finish-agent-run.js';
import { inSteps } from '../placeholders/in-steps.js';
import type { RunRef } from '../placeholders/placeholder-edits.js';
import type { Found } from '../placeholders/in-steps.js';

/**
 * Ends the runs that no bot has changed for so long as `expired` (decisions, section 2). Each in a transaction of its own;
 * one that somebody else is changing is left to the next look.
 *
 * @returns the errors of runs that could not be ended; the others are
 */
export function expireAgentRuns(
  db: Db,
  editMessage: EditMessage,
  timeoutSeconds: number,
): Promise<unknown[]> {
  const find = (after: Found | undefined, limit: number): Promise<(Found & RunRef)[]> =>
    db.query(
      `SELECT space_id AS "spaceId", id, updated_at::text AS at FROM agent_runs
       WHERE completed_at IS NULL AND updated_at <= clock_timestamp() - $1::int * interval '1 second' AND ($2::timestamptz IS NULL OR (updated_at, id) > ($2, $3))
       ORDER BY updated_at, id LIMIT $4`,
      [timeoutSeconds, after?.at ?? null, after?.id ?? null, limit],
    );
  return inSteps(find, async (run) => void (await expireRun(db, editMessage, run, timeoutSeconds)));
}

/** Ends one run as `expired`. @returns undefined when somebody changes it at this moment, or has since it was found */
export async function expireRun(
  db: Db,
  editMessage: EditMessage,
  { spaceId, id }: RunRef,
  timeoutSeconds: number,
): Promise<AgentRun | undefined> {
  return finishRun<undefined>(db, editMessage, async (tx) => {
    const [row] = await tx.query<AgentRunRow>(
      `SELECT ${RUN_COLUMNS} FROM agent_runs
       WHERE space_id = $1 AND id = $2 AND completed_at IS NULL AND updated_at <= clock_timestamp() - $3::int * interval '1 second' FOR NO KEY UPDATE SKIP LOCKED`,
      [spaceId, id, timeoutSeconds],
    );
    if (!row) return { unchanged: undefined };
    const run = toRun(row);
    return { run, ending: endingByServer(run, 'expired') };
  });
}
