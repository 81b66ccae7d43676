import { nullable, statement } from '@tieline/platform/database';
import { EDIT_IN_MS, FOUND, RUN, RUN_COLUMNS, SEARCH } from '../agent-runs.statements.js';

/** Returns a run whose placeholder is due for an edit. */
export const FIND_EDIT_DUE = statement(
  'agent_runs.find_edit_due',
  `SELECT ${RUN_COLUMNS}
   FROM agent_runs
   WHERE space_id = $1 AND id = $2 AND edit_due_at <= statement_timestamp()`,
  RUN,
);

const EDITED = {
  params: {
    spaceId: 'uuid',
    id: 'uuid',
    sequence: 'int8',
    /** Whether it shows that a stop was requested. */
    showsStop: 'bool',
    spacingMs: 'int4',
    appendSpacingMs: 'int4',
  },
  columns: { editInMs: nullable('int4') },
} as const;

const markEdited = (id: string): string => `
  UPDATE agent_runs
  SET
    edited_at = clock_timestamp(),
    edit_due_at = clock_timestamp() + interval '1 millisecond' * CASE
      WHEN stop_requested_at IS NOT NULL AND NOT :showsStop::boolean THEN :spacingMs::int
      WHEN sequence = :sequence::bigint THEN NULL
      WHEN sent_append IS NULL THEN :spacingMs
      ELSE :appendSpacingMs::int
    END
  WHERE space_id = :spaceId AND id = ${id} AND edit_due_at IS NOT NULL
  RETURNING ${EDIT_IN_MS}`;

/**
 * Records an edit that shows the run with this sequence. If the run has changed since, the next
 * edit is due after the spacing. Does nothing if no edit is due anymore.
 */
export const MARK_EDITED = statement('agent_runs.mark_edited', EDITED, markEdited(':id'));

/** Like {@link MARK_EDITED}, but does nothing while the run is locked. */
export const MARK_EDITED_IF_FREE = statement(
  'agent_runs.mark_edited_if_free',
  EDITED,
  markEdited(`ANY (ARRAY(
    SELECT id
    FROM agent_runs
    WHERE space_id = :spaceId AND id = :id
    FOR NO KEY UPDATE SKIP LOCKED
  ))`),
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
