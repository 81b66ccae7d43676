import { statement } from '@tieline/platform/database';

/** Serializes the installations of one client in a space. $1 space, $2 client */
export const LOCK_CLIENT_OF_SPACE = statement(
  'app_installations.lock_client',
  `SELECT pg_advisory_xact_lock(hashtext($1::uuid::text), hashtext($2::text)) IS NULL AS locked`,
  { locked: 'bool' },
);

/** Returns a row if a client is installed somewhere. $1 client */
export const FIND_INSTALLED_CLIENT = statement(
  'app_installations.find_client',
  'SELECT 1 AS n FROM app_installations WHERE client_id = $1::text AND deleted_at IS NULL LIMIT 1',
  { n: 'int4' },
);

/** Installations whose bot does not follow the `is_active` of its app, at most $1. */
export const FIND_UNFOLLOWED = statement(
  'app_installations.find_unfollowed',
  `SELECT i.space_id AS "spaceId", i.id
   FROM apps p
   JOIN app_installations i ON i.app_id = p.id AND i.deleted_at IS NULL
   JOIN bots b ON b.space_id = i.space_id AND b.id = i.bot_id AND b.deleted_at IS NULL
   WHERE p.deleted_at IS NULL AND p.is_active <> (b.active_before_suspension IS NULL)
   LIMIT $1::int`,
  { spaceId: 'uuid', id: 'uuid' },
);

/** Installations of deleted apps, at most $1. */
export const FIND_ORPHANED = statement(
  'app_installations.find_orphaned',
  `SELECT i.space_id AS "spaceId", i.id
   FROM apps p
   JOIN app_installations i ON i.app_id = p.id
   WHERE p.deleted_at IS NOT NULL AND i.deleted_at IS NULL
   LIMIT $1::int`,
  { spaceId: 'uuid', id: 'uuid' },
);
