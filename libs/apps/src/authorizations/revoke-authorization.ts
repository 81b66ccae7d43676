import { signalAccessChange } from '@tieline/live';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { recordChange } from '@tieline/spaces';
import type { ActingUser } from '@tieline/spaces';
import { authorizationNotFound } from '../apps.errors.js';
import { appendTokensRevoked } from '../events/append-tokens-revoked.js';
import { Authorization } from './authorization.entity.js';
import { DROP_ACCESS_TOKENS, DROP_GRANT } from './authorizations.statements.js';

/**
 * Revokes what a person allowed an app. Its tokens of the person end immediately. The bot of the
 * app stays, because it belongs to the space.
 * @throws 404 unless it is an authorization of the person
 */
export function revokeAuthorization(
  db: Db,
  { spaceId, userId, origin }: ActingUser,
  id: string,
): Promise<void> {
  return runInTx(
    db,
    async (tx) => {
      const found = await tx.manager.findOne(Authorization, {
        where: { spaceId, id, userId },
        lock: { mode: 'for_no_key_update' },
      });
      if (!found || found.scopes.length === 0) throw authorizationNotFound();
      if (found.forBot) {
        // Its refresh token still renews the token of the bot.
        await tx.manager.update(Authorization, { spaceId, id }, { scopes: [] });
        await tx.query(DROP_ACCESS_TOKENS, [found.grantHash]);
      } else await tx.query(DROP_GRANT, [found.grantHash]);
      await signalAccessChange(tx, userId);
      const { installationId } = found;
      await appendTokensRevoked(tx, { spaceId, installationId, origin, userIds: [userId] });
      await recordChange(tx, {
        ...origin,
        spaceId,
        action: 'app.authorization_revoked',
        objectType: 'app_authorization',
        objectId: id,
        changes: { client_id: { from: found.clientId, to: null } },
      });
    },
    { spaceId, place: id },
  );
}
