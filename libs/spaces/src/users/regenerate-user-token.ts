import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { AdminPrincipal } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { byUser, recordChange } from '../audit-log/record-change.js';
import { mayManage } from './roles.js';
import { ownersOnly } from '../spaces.errors.js';
import { User } from './user.entity.js';
import { lockUser } from './users.queries.js';
import { newUserToken } from './new-user-token.js';

/**
 * Gives a person of the caller's space a new token; the old one is refused from the next request on (decisions, section
 * 7). Whoever has an owner's token acts as an owner, so only owners may do this to owners.
 *
 * @returns the token, which is kept nowhere else
 * @throws 404 when the person is unknown there, 403 for an owner's token
 */
export function regenerateUserToken(
  db: Db,
  caller: AdminPrincipal,
  userId: string,
  ip: string,
): Promise<string> {
  const { spaceId } = caller;
  return runInTx(db, async (tx) => {
    const user = await lockUser(tx, spaceId, userId);
    if (!mayManage(caller.role, user.role)) throw ownersOnly();
    const token = newUserToken();
    await tx.manager.update(User, { spaceId, id: userId }, { tokenHash: hashToken(token) });
    await recordChange(tx, {
      ...byUser(caller, ip),
      spaceId,
      action: 'user.token_regenerated',
      objectType: 'user',
      objectId: userId,
      changes: {},
    });
    return token;
  });
}
