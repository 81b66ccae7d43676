import { nullable, statement } from '@tieline/platform/database';
import { EDIT_IN_MS, FOUND, RUN, RUN_COLUMNS, SEARCH } from '../agent-runs.statements.js';

/** Returns those of the runs whose placeholders are due for an edit. */
export const FIND_EDITS_DUE = statement(
  'agent_runs.find_edits_due',
  `SELECT ${RUN_COLUMNS}
   FROM agent_runs
   WHERE space_id = $1 AND id = ANY ($2::uuid[]) AND edit_due_at <= statement_timestamp()`,
  RUN,
);

const EDITED = {
  params: {
    spaceId: 'uuid',
    ids: 'uuid[]',
    sequences: 'int8[]',
    /** Whether the edit shows that a stop was requested. */
    showsStop: 'bool[]',
    spacingMs: 'int4',
    appendSpacingMs: 'int4',
  },
  columns: { id: 'uuid', editInMs: nullable('int4') },
} as const;

const markEdited = (more: string): string => `
  UPDATE agent_runs
  SET
    edited_at = clock_timestamp(),
    edit_due_at = clock_timestamp() + interval '1 millisecond' * CASE
      WHEN stop_requested_at IS NOT NULL AND NOT shows_stop THEN :spacingMs::int
      WHEN sequence = shown_sequence THEN NULL
      WHEN sent_append IS NULL THEN :spacingMs
      ELSE :appendSpacingMs::int
    END
  FROM unnest(:ids::uuid[], :sequences::bigint[], :showsStop::boolean[])
    AS shown (shown_id, shown_sequence, shows_stop)${more}
  WHERE space_id = :spaceId AND id = shown_id AND edit_due_at IS NOT NULL
  RETURNING id, ${EDIT_IN_MS}`;

/**
 * Records edits that show runs with these sequences. If a run has changed since, its next edit is
 * due after the spacing. Leaves runs alone whose edit is no longer due.
 */
export const MARK_EDITED = statement('agent_runs.mark_edited', EDITED, markEdited(''));

/** Like {@link MARK_EDITED}, but leaves runs alone that are locked. */
export const MARK_EDITED_IF_FREE = statement(
  'agent_runs.mark_edited_if_free',
  EDITED,
  `
  WITH free AS MATERIALIZED (
    SELECT id AS free_id
    FROM agent_runs
    WHERE space_id = :spaceId AND id = ANY (:ids::uuid[])
    ORDER BY id
    FOR NO KEY UPDATE SKIP LOCKED
  )${markEdited(`
    JOIN free ON free_id = shown_id`)}`,
);

/** Returns runs whose edit is overdue by `age` milliseconds, after the given one, by due time. */
export const FIND_OVERDUE_EDITS = statement(
  'agent_runs.find_overdue_edits',
  { params: SEARCH, columns: { ...FOUND, messageId: 'uuid' } },
  `
  SELECT
    space_id AS "spaceId",
    id,
    message_id AS "messageId",
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
