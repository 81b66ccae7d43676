import { json, nullable, statement, text } from '@tieline/platform/database';
import type { Role } from '@tieline/platform/http';
import type { StoredQuietHours } from './user.entity.js';

/** Active people of active spaces, by the hashes of their tokens. */
export const USERS_BY_TOKEN = statement(
  'spaces.users_by_token',
  `SELECT u.token_hash, u.space_id, u.id, u.role FROM users u JOIN spaces s ON s.id = u.space_id
    WHERE u.token_hash = ANY($1::bytea[]) AND u.is_active AND s.is_active`,
  { token_hash: 'bytea', space_id: 'uuid', id: 'uuid', role: text<Role>() },
);

/** Returns the ids among $2 that belong to active people of the space. */
export const ACTIVE_USERS = statement(
  'spaces.active_users',
  'SELECT id FROM users WHERE space_id = $1 AND id = ANY($2::uuid[]) AND is_active',
  { id: 'uuid' },
);

/** The number of active people of a space. $1 space */
export const COUNT_ACTIVE_USERS = statement(
  'spaces.count_active_users',
  'SELECT count(*) AS count FROM users WHERE space_id = $1 AND is_active',
  { count: 'int8' },
);

/**
 * No one if bots may not see addresses. Of several people with one address the oldest. $1 space, $2
 * address
 */
export const ACTIVE_USER_BY_EMAIL = statement(
  'spaces.active_user_by_email',
  `SELECT u.id FROM users u JOIN spaces s ON s.id = u.space_id
    WHERE u.space_id = $1 AND u.email <> '' AND lower(u.email) = lower($2::text) AND u.is_active AND s.bots_see_emails
    ORDER BY u.id LIMIT 1`,
  { id: 'uuid' },
);

/** The notification settings of several people; inactive people are absent. */
export const NOTIFICATION_SETTINGS = statement(
  'spaces.notification_settings',
  'SELECT id, dnd_until, quiet_hours FROM users WHERE space_id = $1 AND id = ANY($2::uuid[]) AND is_active',
  { id: 'uuid', dnd_until: nullable('timestamptz'), quiet_hours: nullable(json<StoredQuietHours>()) },
);
