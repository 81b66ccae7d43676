import { statement } from '@tieline/platform/database';
import { EDIT_IN_MS, FOUND, RUN, RUN_COLUMNS, SEARCH } from '../agent-runs.statements.js';

/**
 * Records the first stop request of an unfinished run by a member of its channel. Returns no row if
 * there is one, the run has ended or the person is no member. The placeholder is due for an edit as
 * after an update of the bot.
 */
export const MARK_STOP_REQUESTED = statement(
  'agent_runs.mark_stop_requested',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      userId: 'uuid',
      spacingMs: 'int4',
    },
    columns: { ...RUN, editInMs: 'int4' },
  },
  `
  UPDATE agent_runs
  SET
    stop_requested_at = clock_timestamp(),
    stop_requested_by = :userId,
    edit_due_at = least(
      edit_due_at,
      greatest(clock_timestamp(), edited_at + :spacingMs::int * interval '1 millisecond')
    )
  WHERE space_id = :spaceId
    AND id = :id
    AND completed_at IS NULL
    AND stop_requested_at IS NULL
    AND (
      SELECT true
      FROM conversation_members m
      WHERE m.space_id = :spaceId
        AND m.conversation_id = agent_runs.channel_id
        AND m.member_id = :userId
    )
  RETURNING
    ${RUN_COLUMNS},
    ${EDIT_IN_MS}
  `,
);

/**
 * Returns unfinished runs whose stop was requested `age` seconds ago, oldest request first.
 */
export const FIND_STOPPING = statement(
  'agent_runs.find_stopping',
  { params: SEARCH, columns: FOUND },
  `
  SELECT
    space_id AS "spaceId",
    id,
    stop_requested_at::text AS at
  FROM agent_runs
  WHERE completed_at IS NULL
    AND stop_requested_at <= statement_timestamp() - :age::int * interval '1 second'
    AND (:afterAt::timestamptz IS NULL OR (stop_requested_at, id) > (:afterAt, :afterId))
  ORDER BY stop_requested_at, id
  LIMIT :limit
  `,
);

/** Locks such a run. Returns no row if it is locked or has ended since. */
export const LOCK_STOPPING = statement(
  'agent_runs.lock_stopping',
  `SELECT ${RUN_COLUMNS}
   FROM agent_runs
   WHERE space_id = $1
     AND id = $2
     AND completed_at IS NULL
     AND stop_requested_at <= statement_timestamp() - $3::int * interval '1 second'
   FOR NO KEY UPDATE SKIP LOCKED`,
  RUN,
);
