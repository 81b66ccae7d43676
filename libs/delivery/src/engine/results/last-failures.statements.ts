import { nullable, statement } from '@tieline/platform/database';

/** Returns why the last logged attempt of each delivery failed. */
export const FIND_LAST_FAILURES = statement(
  'delivery_attempts.find_last_failures',
  {
    params: { ids: 'uuid[]', spaceIds: 'uuid[]' },
    columns: { id: 'uuid', statusCode: nullable('int4'), error: nullable('text') },
  },
  `
  SELECT asked.id, a.status_code AS "statusCode", a.error
  FROM unnest(:ids::uuid[], :spaceIds::uuid[]) AS asked (id, space_id)
  CROSS JOIN LATERAL (
    SELECT status_code, error
    FROM delivery_attempts
    WHERE delivery_id = asked.id AND space_id = asked.space_id
    ORDER BY attempt DESC
    LIMIT 1
  ) a
  `,
);
