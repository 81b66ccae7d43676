import { timingSafeEqual } from 'node:crypto';
import type { Db } from '@tieline/platform/database';
import { statement, nullable } from '@tieline/platform/database';
import { hashToken } from '@tieline/signing';

/** The valid secrets of a client. $1 client id */
export const FIND_CLIENT_SECRETS = statement(
  'apps.find_client_secrets',
  `SELECT
     client_secret_hash AS current,
     CASE WHEN previous_client_secret_expires_at > statement_timestamp() THEN previous_client_secret_hash END AS previous
   FROM apps
   WHERE client_id = $1::text AND is_active AND deleted_at IS NULL`,
  { current: nullable('bytea'), previous: nullable('bytea') },
);

/** Returns whether this is the secret of the client, or its previous one during a rotation. */
export async function isClientSecret(db: Db, clientId: string, secret: string): Promise<boolean> {
  const [row] = await db.query(FIND_CLIENT_SECRETS, [clientId]);
  const hash = hashToken(secret);
  return [row?.current, row?.previous].some((stored) => stored && timingSafeEqual(stored, hash));
}
