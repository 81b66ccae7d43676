import { statement } from '@tieline/platform/database';

/** Replaces the definition and restarts the lifetime of the modal and of those below it. */
export const REPLACE_MODAL = statement(
  'modals.replace',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      modal: 'text',
      isValidated: 'bool',
      ttlSeconds: 'float8',
    },
    columns: {},
  },
  `
  WITH RECURSIVE stack AS (
    SELECT
      space_id,
      id,
      parent_id,
      true AS is_top
    FROM modals
    WHERE space_id = :spaceId AND id = :id
    UNION ALL
    SELECT
      m.space_id,
      m.id,
      m.parent_id,
      false
    FROM modals m
    JOIN stack s ON m.space_id = s.space_id AND m.id = s.parent_id
  )
  UPDATE modals m
  SET
    expires_at = clock_timestamp() + :ttlSeconds::float8 * interval '1 second',
    modal = CASE WHEN is_top THEN :modal ELSE modal END,
    is_judged = CASE WHEN is_top THEN :isValidated ELSE is_judged END,
    child_until = CASE
      WHEN is_top THEN child_until
      ELSE clock_timestamp() + :ttlSeconds::float8 * interval '1 second'
    END
  FROM stack
  WHERE m.space_id = stack.space_id AND m.id = stack.id AND (is_top OR m.used_at IS NULL)
  `,
);

/**
 * Marks the modal as covered by a new one and extends the lifetime of the whole stack. Returns no
 * row if the stack is full.
 */
export const COVER_MODAL = statement(
  'modals.cover',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      ttlSeconds: 'float8',
      maxDepth: 'int4',
    },
    columns: { stackDepth: 'int4' },
  },
  `
  WITH RECURSIVE stack AS (
    SELECT
      space_id,
      id,
      parent_id,
      stack_depth
    FROM modals
    WHERE space_id = :spaceId AND id = :id AND stack_depth < :maxDepth
    UNION ALL
    SELECT
      m.space_id,
      m.id,
      m.parent_id,
      s.stack_depth
    FROM modals m
    JOIN stack s ON m.space_id = s.space_id AND m.id = s.parent_id
  )
  UPDATE modals m
  SET
    child_until = clock_timestamp() + :ttlSeconds::float8 * interval '1 second',
    expires_at = clock_timestamp() + :ttlSeconds::float8 * interval '1 second'
  FROM stack
  WHERE m.space_id = stack.space_id AND m.id = stack.id AND (m.id = :id OR m.used_at IS NULL)
  RETURNING stack.stack_depth AS "stackDepth"
  `,
);
