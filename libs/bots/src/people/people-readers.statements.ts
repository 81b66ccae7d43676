import { statement } from '@tieline/platform/database';

/**
 * Returns those of the bots $2 that may read people, and whether they may read addresses. $1 spaces
 */
export const FIND_PEOPLE_READERS = statement(
  'bots.find_people_readers',
  `SELECT
     b.id,
     s.bots_see_emails AND coalesce('users:read.email' = ANY (b.scopes), true) AS "seesEmails"
   FROM bots b JOIN spaces s ON s.id = b.space_id
   WHERE b.space_id = ANY ($1::uuid[]) AND b.id = ANY ($2::uuid[])
     AND coalesce('users:read' = ANY (b.scopes), true)`,
  { id: 'uuid', seesEmails: 'bool' },
);
