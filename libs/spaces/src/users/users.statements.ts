import { json, nullable, statement, text } from '@tieline/platform/database';
import type { Role } from '@tieline/platform/http';
import type { StoredQuietHours } from './user.entity.js';

/** Active people of active spaces, by the hashes of their tokens. */
export const USERS_BY_TOKEN = statement(
  'users.find_by_tokens',
  `SELECT u.token_hash AS "tokenHash", u.space_id AS "spaceId", u.id, u.role
   FROM users u
   JOIN spaces s ON s.id = u.space_id
   WHERE u.token_hash = ANY($1::bytea[]) AND u.is_active AND s.is_active`,
  { tokenHash: 'bytea', spaceId: 'uuid', id: 'uuid', role: text<Role>() },
);

/** Returns the ids among $2 that belong to active people of the space. */
export const ACTIVE_USERS = statement(
  'users.find_active',
  'SELECT id FROM users WHERE space_id = $1 AND id = ANY($2::uuid[]) AND is_active',
  { id: 'uuid' },
);

/** The number of active people of a space. $1 space */
export const COUNT_ACTIVE_USERS = statement(
  'users.count_active',
  'SELECT count(*) AS count FROM users WHERE space_id = $1 AND is_active',
  { count: 'int8' },
);

/**
 * The oldest of several people with the same address. No one if bots may not see addresses. $1
 * space, $2 address
 */
export const ACTIVE_USER_BY_EMAIL = statement(
  'users.find_active_by_email',
  `SELECT u.id FROM users u JOIN spaces s ON s.id = u.space_id
    WHERE u.space_id = $1 AND u.email <> '' AND lower(u.email) = lower($2::text) AND u.is_active AND s.bots_see_emails
    ORDER BY u.id LIMIT 1`,
  { id: 'uuid' },
);

/** The notification settings of several people; inactive people are absent. */
export const NOTIFICATION_SETTINGS = statement(
  'users.list_notification_settings',
  `SELECT id, role, dnd_until AS "dndUntil", quiet_hours AS "quietHours"
   FROM users
   WHERE space_id = $1 AND id = ANY($2::uuid[]) AND is_active`,
  {
    id: 'uuid',
    role: text<Role>(),
    dndUntil: nullable('timestamptz'),
    quietHours: nullable(json<StoredQuietHours>()),
  },
);
