import { statement } from '@tieline/platform/database';
import { FOUND, RUN, RUN_COLUMNS, SEARCH } from '../agent-runs.statements.js';

/** Locks a run whose placeholder is due for an edit. */
export const LOCK_EDIT_DUE = statement(
  'agent_runs.lock_edit_due',
  `SELECT ${RUN_COLUMNS}
   FROM agent_runs
   WHERE space_id = $1 AND id = $2 AND edit_due_at <= statement_timestamp()
   FOR NO KEY UPDATE`,
  RUN,
);

/** Records that the placeholder has been edited. */
export const MARK_EDITED = statement(
  'agent_runs.mark_edited',
  `UPDATE agent_runs
   SET edit_due_at = NULL, edited_at = clock_timestamp()
   WHERE space_id = $1 AND id = $2`,
  {},
);

/** Returns runs whose edit is overdue by `age` milliseconds, after the given one, by due time. */
export const FIND_OVERDUE_EDITS = statement(
  'agent_runs.find_overdue_edits',
  { params: SEARCH, columns: FOUND },
  `
  SELECT
    space_id AS "spaceId",
    id,
    edit_due_at::text AS at
  FROM agent_runs
  WHERE edit_due_at <= statement_timestamp() - :age::int * interval '1 millisecond'
    AND (:afterAt::timestamptz IS NULL OR (edit_due_at, id) > (:afterAt, :afterId))
  ORDER BY edit_due_at, id
  LIMIT :limit
  `,
);

/** Returns a row while the run of this placeholder is unfinished. */
export const FIND_WORKING_RUN = statement(
  'agent_runs.find_working',
  'SELECT id FROM agent_runs WHERE space_id = $1 AND id = $2 AND message_id = $3 AND completed_at IS NULL',
  { id: 'uuid' },
);
