import { statement } from '@tieline/platform/database';

/**
 * The oldest open notice of each space, one index probe per space. A space may have many open
 * notices, of which only the first counts.
 */
const OLDEST = `WITH RECURSIVE oldest AS (
    (SELECT space_id, id FROM notices WHERE post_to IS NOT NULL ORDER BY space_id, id LIMIT 1)
    UNION ALL
    SELECT n.space_id, n.id FROM oldest o CROSS JOIN LATERAL (
      SELECT space_id, id FROM notices WHERE post_to IS NOT NULL AND space_id > o.space_id ORDER BY space_id, id LIMIT 1
    ) n
  )`;
/** Those that are due. `post_to` is compared again, because another worker may have posted one. */
const UNPOSTED = `FROM oldest o JOIN notices n ON n.space_id = o.space_id AND n.id = o.id
    WHERE n.post_to IS NOT NULL AND (SELECT s.is_active FROM spaces s WHERE s.id = n.space_id) AND (n.post_after IS NULL OR n.post_after <= statement_timestamp())`;

/**
 * The oldest notice to be posted, of all spaces. Only the first of a space can be claimed: while it
 * is locked or waits for another attempt, later ones wait too, so that they are posted in order.
 * Spaces are not joined: some plans would read many of them for a few notices.
 */
export const CLAIM_NOTICE_TO_POST = statement(
  'notices.claim_unposted',
  `${OLDEST}
   SELECT n.space_id AS "spaceId", n.id, n.text, n.post_to AS "conversationId", n.post_attempts AS attempts
     ${UNPOSTED}
    ORDER BY n.id LIMIT 1 FOR UPDATE OF n SKIP LOCKED`,
  { spaceId: 'uuid', id: 'uuid', text: 'text', conversationId: 'uuid', attempts: 'int4' },
);

/** Whether a notice is due. */
export const NOTICES_ARE_DUE = statement(
  'notices.check_due',
  `${OLDEST} SELECT EXISTS (SELECT 1 ${UNPOSTED}) AS due`,
  {
    due: 'bool',
  },
);

/** $1 space, $2 notice */
export const NOTICE_IS_POSTED = statement(
  'notices.mark_posted',
  'UPDATE notices SET post_to = NULL WHERE space_id = $1 AND id = $2',
  {},
);

/** Schedules another attempt. The last attempt gives up. */
export const POST_NOTICE_LATER = statement(
  'notices.postpone_posting',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      seconds: 'float8',
      maxAttempts: 'int4',
    },
    columns: {},
  },
  `
  UPDATE notices
  SET
    post_attempts = post_attempts + 1,
    post_after = clock_timestamp() + :seconds::float8 * interval '1 second',
    post_to = CASE WHEN post_attempts + 1 < :maxAttempts::int THEN post_to END
  WHERE space_id = :spaceId AND id = :id AND post_to IS NOT NULL
  `,
);
