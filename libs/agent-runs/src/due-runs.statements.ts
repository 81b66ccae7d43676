import { statement } from '@tieline/platform/database';

/** Whether a run is unchanged for $1 seconds, or a stop was requested $2 seconds ago. */
export const RUNS_ARE_DUE = statement(
  'agent_runs.check_due',
  `SELECT EXISTS (
     SELECT 1 FROM agent_runs WHERE completed_at IS NULL AND updated_at <= statement_timestamp() - $1::int * interval '1 second'
   ) OR EXISTS (
     SELECT 1
     FROM agent_runs
     WHERE completed_at IS NULL AND stop_requested_at <= statement_timestamp() - $2::int * interval '1 second'
   ) AS due`,
  { due: 'bool' },
);

/** Whether an edit is overdue by $1 milliseconds. */
export const EDITS_ARE_OVERDUE = statement(
  'agent_runs.check_overdue_edits',
  `SELECT EXISTS (
     SELECT 1 FROM agent_runs WHERE edit_due_at <= statement_timestamp() - $1::int * interval '1 millisecond'
   ) AS due`,
  { due: 'bool' },
);
