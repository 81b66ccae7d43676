import { nullable, statement, text } from '@tieline/platform/database';
import type { Role } from '@tieline/platform/http';

/**
 * Open sessions of active people in active spaces, and of the operator, by the hashes of their
 * tokens. `isDue`: to be prolonged.
 */
export const SESSIONS_BY_TOKEN = statement(
  'sessions.find_by_tokens',
  `SELECT
     s.token_hash AS "tokenHash",
     s.space_id AS "spaceId",
     s.user_id AS "userId",
     u.role,
     s.last_used_at < statement_timestamp() - interval '1 second' AS "isDue"
   FROM sessions s
   LEFT JOIN users u ON u.space_id = s.space_id AND u.id = s.user_id
   LEFT JOIN spaces p ON p.id = s.space_id
   WHERE s.token_hash = ANY($1::bytea[])
     AND s.expires_at > statement_timestamp()
     AND (s.user_id IS NULL OR (u.is_active AND p.is_active))`,
  {
    tokenHash: 'bytea',
    spaceId: nullable('uuid'),
    userId: nullable('uuid'),
    role: nullable(text<Role>()),
    isDue: 'bool',
  },
);

/**
 * A locked row is being prolonged or ended. $1 hash, $2 seconds from now, $3 maximum seconds after
 * its start
 */
export const PROLONG_SESSION = statement(
  'sessions.prolong_session',
  `UPDATE sessions SET last_used_at = statement_timestamp(), 
      expires_at = least(statement_timestamp() + $2::int * interval '1 second', created_at + $3::int * interval '1 second')
    WHERE id = ANY (ARRAY(SELECT id FROM sessions WHERE token_hash = $1 AND expires_at > statement_timestamp() FOR NO KEY UPDATE SKIP LOCKED))
   RETURNING 1 AS n`,
  { n: 'int4' },
);

/**
 * Locks the active person of an active space that has the token with hash $1. Rechecks after a
 * concurrent change.
 */
export const LOCK_USER_BY_TOKEN = statement(
  'users.lock_by_token',
  `SELECT u.space_id AS "spaceId", u.id FROM users u JOIN spaces s ON s.id = u.space_id
    WHERE u.token_hash = $1 AND u.is_active AND s.is_active FOR NO KEY UPDATE OF u`,
  { spaceId: 'uuid', id: 'uuid' },
);

/**
 * Locks the active person of an active space that the invite with hash $1 belongs to. Does not lock
 * the invite, because every change of a person locks the person first.
 */
export const LOCK_USER_BY_INVITE = statement(
  'users.lock_by_invite',
  `SELECT u.space_id AS "spaceId", u.id FROM invites i JOIN users u ON u.space_id = i.space_id AND u.id = i.user_id JOIN spaces s ON s.id = i.space_id
    WHERE i.token_hash = $1 AND u.is_active AND s.is_active FOR NO KEY UPDATE OF u`,
  { spaceId: 'uuid', id: 'uuid' },
);

/** The person of an open invite. $1 hash */
export const OPEN_INVITE = statement(
  'invites.find_open',
  `SELECT u.display_name AS "displayName", s.name AS "spaceName", i.expires_at AS "expiresAt"
     FROM invites i JOIN users u ON u.space_id = i.space_id AND u.id = i.user_id JOIN spaces s ON s.id = i.space_id
    WHERE i.token_hash = $1 AND i.expires_at > statement_timestamp() AND u.is_active AND s.is_active`,
  { displayName: 'text', spaceName: 'text', expiresAt: 'timestamptz' },
);

/** Uses an invite up. The caller holds the person's lock. $1 hash */
export const TAKE_INVITE = statement(
  'invites.take_invite',
  'DELETE FROM invites WHERE token_hash = $1 AND expires_at > statement_timestamp() RETURNING 1 AS n',
  { n: 'int4' },
);

/**
 * Ends all but the latest $3 sessions of a person, or of the operator if null; expired ones first.
 */
export const END_OLDEST_SESSIONS = statement(
  'sessions.end_oldest',
  `DELETE FROM sessions WHERE id = ANY (ARRAY(
     SELECT id FROM sessions
      WHERE (space_id = $1::uuid AND user_id = $2::uuid) OR ($1::uuid IS NULL AND space_id IS NULL AND user_id IS NULL)
      ORDER BY expires_at > statement_timestamp() DESC, created_at DESC, id DESC OFFSET $3))
   RETURNING id`,
  { id: 'uuid' },
);

/** Deletes expired sessions, at most $1. */
export const DROP_OLD_SESSIONS = statement(
  'sessions.drop_expired',
  `DELETE FROM sessions WHERE id = ANY (ARRAY(
     SELECT id FROM sessions WHERE expires_at < statement_timestamp() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS n`,
  { n: 'int4' },
);

/** Deletes expired invites, at most $1. */
export const DROP_OLD_INVITES = statement(
  'invites.drop_expired',
  `DELETE FROM invites WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM invites WHERE expires_at < statement_timestamp() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS n`,
  { n: 'int4' },
);
