import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { TOKEN_PREFIXES } from '@tieline/platform/http';
import { hashToken, newToken } from '@tieline/signing';
import type { ActingAdmin } from '@tieline/spaces';
import { App } from './app.entity.js';
import { publicClient } from './apps.errors.js';
import { lockApp } from './apps.queries.js';
import { recordAppChange } from './record-app-change.js';

/** A new client secret, shown once. */
export interface RotatedClientSecret {
  clientSecret: string;
  /** Null: the previous one ended immediately. */
  previousExpiresAt: Date | null;
}

/**
 * Replaces the client secret of an app. The previous one stays valid for `overlapSeconds`, and an
 * earlier one ends.
 * @throws 404; 409 for a public client
 */
export function rotateClientSecret(
  db: Db,
  { spaceId, origin }: ActingAdmin,
  id: string,
  overlapSeconds: number,
): Promise<RotatedClientSecret> {
  const clientSecret = newToken(TOKEN_PREFIXES.clientSecret);
  return runInTx(
    db,
    async (tx) => {
      const app = await lockApp(tx, spaceId, id);
      if (app.clientType === 'public') throw publicClient();
      const updatedAt = new Date();
      const previousExpiresAt =
        overlapSeconds === 0 ? null : new Date(updatedAt.getTime() + overlapSeconds * 1000);
      await tx.manager.update(
        App,
        { spaceId, id },
        {
          clientSecretHash: hashToken(clientSecret),
          previousClientSecretHash: previousExpiresAt ? () => 'client_secret_hash' : null,
          previousClientSecretExpiresAt: previousExpiresAt,
          updatedAt,
        },
      );
      await recordAppChange(tx, app, { action: 'app.client_secret_rotated', origin });
      return { clientSecret, previousExpiresAt };
    },
    { spaceId, place: id },
  );
}
