import { nullable, statement, text } from '@tieline/platform/database';
import type { Role } from '@tieline/platform/http';

/** From authorizations `a`: installed, in an active space, of an active app. */
const IN_FORCE = `
  JOIN app_installations i ON i.space_id = a.space_id AND i.id = a.installation_id
  JOIN users u ON u.space_id = a.space_id AND u.id = a.user_id
  JOIN spaces s ON s.id = a.space_id
  LEFT JOIN apps p ON p.space_id = i.app_space_id AND p.id = i.app_id`;
const IS_IN_FORCE = `
  i.deleted_at IS NULL AND s.is_active AND (i.app_id IS NULL OR (p.is_active AND p.deleted_at IS NULL))`;

/**
 * Active people by the hashes of access tokens that an app has of them. Read with every request, so
 * that a revoked token, a deactivated person and an uninstalled app count with the next one.
 */
export const FIND_PEOPLE_BY_TOKEN = statement(
  'app_authorizations.find_by_tokens',
  `SELECT
     r.id_hash AS "tokenHash",
     a.space_id AS "spaceId",
     a.user_id AS "userId",
     u.role,
     a.scopes,
     r.payload ->> 'scope' AS scope
   FROM oauth_records r
   JOIN app_authorizations a ON a.grant_hash = r.grant_hash
   ${IN_FORCE}
   WHERE r.id_hash = ANY($1::bytea[])
     AND r.kind = 'AccessToken'
     AND r.expires_at > statement_timestamp()
     AND u.is_active
     AND ${IS_IN_FORCE}`,
  {
    tokenHash: 'bytea',
    spaceId: 'uuid',
    userId: 'uuid',
    role: text<Role>(),
    scopes: 'text[]',
    scope: nullable('text'),
  },
);

/** Why the access token with hash $1 is refused, if it is still stored. */
export const FIND_REFUSED_TOKEN = statement(
  'app_authorizations.find_refused_token',
  `SELECT
     CASE WHEN r.expires_at <= statement_timestamp() THEN 'expired' ELSE 'inactive' END AS reason
   FROM oauth_records r
   WHERE r.id_hash = $1::bytea AND r.kind = 'AccessToken'`,
  { reason: text<'expired' | 'inactive'>() },
);

/** The authorization of a grant that is in force. $1 hash of the grant */
export const FIND_GRANT = statement(
  'app_authorizations.find_grant',
  `SELECT
     a.space_id AS "spaceId",
     s.name AS "spaceName",
     a.id,
     a.installation_id AS "installationId",
     a.user_id AS "userId",
     a.client_id AS "clientId",
     CASE WHEN u.is_active THEN a.scopes ELSE '{}' END AS scopes,
     a.for_bot AS "forBot",
     i.bot_id AS "botId",
     i.bot_scopes AS "botScopes",
     coalesce(p.token_rotation, false) AS "tokenRotation"
   FROM app_authorizations a
   ${IN_FORCE}
   WHERE a.grant_hash = $1
     AND a.expires_at > statement_timestamp()
     AND (u.is_active OR a.for_bot)
     AND ${IS_IN_FORCE}`,
  {
    spaceId: 'uuid',
    spaceName: 'text',
    id: 'uuid',
    installationId: 'uuid',
    userId: 'uuid',
    clientId: 'text',
    scopes: 'text[]',
    forBot: 'bool',
    botId: nullable('uuid'),
    botScopes: 'text[]',
    tokenRotation: 'bool',
  },
);

/** Deletes the authorizations of an installation with their tokens. $1 space, $2 installation */
export const DROP_AUTHORIZATIONS_OF_INSTALLATION = statement(
  'app_authorizations.drop_of_installation',
  `WITH dropped AS (
     DELETE FROM app_authorizations WHERE space_id = $1::uuid AND installation_id = $2::uuid RETURNING grant_hash
   )
   DELETE FROM oauth_records WHERE grant_hash IN (SELECT grant_hash FROM dropped)`,
  {},
);

/** Deletes an authorization with its tokens. $1 hash of the grant */
export const DROP_GRANT = statement(
  'app_authorizations.drop_grant',
  `WITH records AS (
     DELETE FROM oauth_records WHERE grant_hash = $1::bytea
   )
   DELETE FROM app_authorizations WHERE grant_hash = $1::bytea
   RETURNING
     space_id AS "spaceId",
     id,
     installation_id AS "installationId",
     user_id AS "userId",
     client_id AS "clientId",
     scopes,
     for_bot AS "forBot"`,
  {
    spaceId: 'uuid',
    id: 'uuid',
    installationId: 'uuid',
    userId: 'uuid',
    clientId: 'text',
    scopes: 'text[]',
    forBot: 'bool',
  },
);

/**
 * Deletes all but the latest 20 authorizations of a person for a client, with their tokens. $1
 * space, $2 person, $3 client
 */
export const DROP_SURPLUS = statement(
  'app_authorizations.drop_surplus',
  `WITH dropped AS (
     DELETE FROM app_authorizations
     WHERE space_id = $1::uuid AND id = ANY (ARRAY(
       SELECT id FROM app_authorizations
       WHERE space_id = $1::uuid AND user_id = $2::uuid AND client_id = $3::text
       ORDER BY id DESC OFFSET 20))
     RETURNING grant_hash
   )
   DELETE FROM oauth_records WHERE grant_hash IN (SELECT grant_hash FROM dropped)`,
  {},
);

/**
 * Ends the part for the bot of all other grants of an installation. $1 space, $2 installation, $3
 * hash of the grant
 */
export const TAKE_OVER_BOT = statement(
  'app_authorizations.take_over_bot',
  `UPDATE app_authorizations SET for_bot = false
   WHERE space_id = $1::uuid AND installation_id = $2::uuid AND for_bot AND grant_hash <> $3::bytea`,
  {},
);

/** Deletes the access tokens of a grant. $1 hash of the grant */
export const DROP_ACCESS_TOKENS = statement(
  'oauth_records.drop_access_tokens',
  `DELETE FROM oauth_records WHERE grant_hash = $1::bytea AND kind = 'AccessToken'`,
  {},
);

/** Deletes expired authorizations, at most $1. */
export const DROP_OLD_AUTHORIZATIONS = statement(
  'app_authorizations.drop_expired',
  `DELETE FROM app_authorizations WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM app_authorizations WHERE expires_at < statement_timestamp()
     ORDER BY expires_at LIMIT $1::int FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS n`,
  { n: 'int4' },
);
