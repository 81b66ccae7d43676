import { statement } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { hashToken } from '@tieline/signing';
import { byUser, recordReading } from '@tieline/spaces';

/** The authorization that a refresh token belongs to, while it exists. $1 hash of the token */
export const FIND_AUTHORIZATION_OF_REFRESH_TOKEN = statement(
  'app_authorizations.find_of_refresh_token',
  `SELECT a.space_id AS "spaceId", a.id, a.user_id AS "userId", a.client_id AS "clientId"
   FROM oauth_records r
   JOIN app_authorizations a ON a.grant_hash = r.grant_hash
   WHERE r.id_hash = $1::bytea AND r.kind = 'RefreshToken'`,
  { spaceId: 'uuid', id: 'uuid', userId: 'uuid', clientId: 'text' },
);

/** A refresh that the token endpoint refused. */
interface RefusedRefresh {
  token: string;
  reason: string;
  /** Address of the client. */
  ip: string;
}

/**
 * Writes a refused refresh to the audit log of the space, at most once an hour and authorization.
 * Does nothing for a token that is unknown or already revoked: no space is known, or its log has
 * the revocation.
 */
export async function recordRefusedRefresh(db: Db, { token, reason, ip }: RefusedRefresh): Promise<void> {
  const [authorization] = await db.query(FIND_AUTHORIZATION_OF_REFRESH_TOKEN, [hashToken(token)]);
  if (!authorization) return;
  const { spaceId, id: objectId, userId, clientId } = authorization;
  await recordReading(db, {
    ...byUser({ userId }, ip),
    spaceId,
    action: 'app.refresh_refused',
    objectType: 'app_authorization',
    objectId,
    changes: { client_id: { from: null, to: clientId }, reason: { from: null, to: reason } },
  });
}
