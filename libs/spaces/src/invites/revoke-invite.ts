import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { ActingAdmin } from '../audit-log/acting.js';
import { recordChange } from '../audit-log/record-change.js';
import { mayManage } from '../users/roles.js';
import { lockUser } from '../users/users.queries.js';
import { noInvite, ownersOnly } from '../spaces.errors.js';
import { Invite } from './invite.entity.js';

/**
 * Revokes a person's open invite. @throws 404 when there is none, or the person is unknown in the
 * space; 403 for an owner's, unless the caller is an owner
 */
export function revokeInvite(db: Db, { spaceId, role, origin }: ActingAdmin, userId: string): Promise<void> {
  return runInTx(
    db,
    async (tx) => {
      const user = await lockUser(tx, spaceId, userId);
      if (!mayManage(role, user.role)) throw ownersOnly();
      const gone = await tx.manager.delete(Invite, { spaceId, userId });
      if (gone.affected === 0) throw noInvite();
      const record = { spaceId, objectType: 'user', objectId: userId, changes: {} };
      await recordChange(tx, { ...origin, ...record, action: 'user.invite_revoked' });
    },
    { spaceId, place: userId },
  );
}
