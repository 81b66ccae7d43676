import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { Role } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import type { ActingAdmin } from '../audit-log/acting.js';
import { byOperator, recordChange } from '../audit-log/record-change.js';
import type { Origin } from '../audit-log/record-change.js';
import { mayManage } from './roles.js';
import { ownersOnly } from '../spaces.errors.js';
import { User } from './user.entity.js';
import { lockUser } from './users.queries.js';
import { newUserToken } from './new-user-token.js';

/** The person, the origin, and whether the caller may change owners. */
interface NewTokenRequest {
  readonly spaceId: string;
  readonly userId: string;
  readonly origin: Origin;
  readonly allows: (role: Role) => boolean;
}

/**
 * Gives a person of the caller's space a new token. The old one is refused from the next request
 * on, streams end, and devices get no more pushes. An owner's token grants the rights of an owner,
 * so only owners may replace it.
 *
 * @returns the token, which is stored nowhere.
 * @throws 404 when the person is unknown there. 403 for an owner's token.
 */
export function regenerateUserToken(
  db: Db,
  { spaceId, role, origin }: ActingAdmin,
  userId: string,
): Promise<string> {
  return giveNewToken(db, { spaceId, userId, origin, allows: (present) => mayManage(role, present) });
}

/**
 * Replaces a person's token as the operator, in any space, for example for an owner who lost the
 * only token.
 *
 * @throws 404 if the person is unknown.
 */
export function regenerateTokenByOperator(
  db: Db,
  { spaceId, userId }: { spaceId: string; userId: string },
  ip: string,
): Promise<string> {
  return giveNewToken(db, { spaceId, userId, origin: byOperator(ip), allows: () => true });
}

function giveNewToken(db: Db, { spaceId, userId, origin, allows }: NewTokenRequest): Promise<string> {
  return runInTx(
    db,
    async (tx) => {
      const user = await lockUser(tx, spaceId, userId);
      if (!allows(user.role)) throw ownersOnly();
      const token = newUserToken();
      // A trigger deletes the person's devices.
      await tx.manager.update(User, { spaceId, id: userId }, { tokenHash: hashToken(token) });
      await recordChange(tx, {
        ...origin,
        spaceId,
        action: 'user.token_regenerated',
        objectType: 'user',
        objectId: userId,
        changes: {},
      });
      return token;
    },
    { spaceId, place: userId },
  );
}
