import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import { auditedOf, changesOf, settingsOf } from '@tieline/platform/resource';
import { hashToken } from '@tieline/signing';
import type { ActingAdmin } from '../audit-log/acting.js';
import { changesBetween, recordChange } from '../audit-log/record-change.js';
import { requireCapacityForPerson } from './create-user.js';
import { appendPersonChanged } from './person-changed.js';
import { mayManage, removesOwner } from './roles.js';
import { lastOwner, ownersOnly } from '../spaces.errors.js';
import { SpaceLimitSettings } from '../spaces.settings.js';
import { newUserToken } from './new-user-token.js';
import { lockSpace } from '../spaces/spaces.queries.js';
import { User } from './user.entity.js';
import { USER } from './user.js';
import type { UserChanges } from './user.js';
import { hasOtherOwner, lockUser } from './users.queries.js';

/** Changes people. */
@Injectable()
export class UpdateUser {
  constructor(
    private readonly db: Db,
    private readonly settings: SpaceLimitSettings,
  ) {}

  /**
   * Changes a person of the caller's space. Deactivation revokes their token permanently: after
   * reactivation they need a new token or an invite.
   *
   * Holds the space's lock, so that two concurrent requests cannot remove the last two owners.
   * @throws 404 when the person is unknown there. 403 when a non-owner changes an owner. 409 for
   * the last active owner and, `limit_reached`, for an activation beyond the plan's limit of active
   * people.
   */
  run(caller: ActingAdmin, userId: string, wanted: UserChanges): Promise<User> {
    const { spaceId, origin } = caller;
    return runInTx(
      this.db,
      async (tx) => {
        await lockSpace(tx, spaceId);
        const user = await lockUser(tx, spaceId, userId);
        const changed = changesOf(settingsOf(USER, user), wanted);
        const next = { ...user, ...changed };
        if (!mayManage(caller.role, next.role, user.role)) throw ownersOnly();
        if (removesOwner(user, next) && !(await hasOtherOwner(tx, spaceId, userId))) throw lastOwner();
        if (Object.keys(changed).length === 0) return user;
        if (!user.isActive && next.isActive) await requireCapacityForPerson(tx, spaceId, this.settings);
        // The hash of a token that no one has.
        const voided = user.isActive && !next.isActive ? { tokenHash: hashToken(newUserToken()) } : {};
        await tx.manager.update(User, { spaceId, id: userId }, { ...changed, ...voided });
        const changes = changesBetween(auditedOf(USER, user), auditedOf(USER, next));
        const record = { ...origin, spaceId, objectType: 'user', objectId: userId, changes };
        await recordChange(tx, { ...record, action: 'user.updated' });
        await appendPersonChanged(tx, { before: user, after: next }, origin);
        return next;
      },
      { spaceId, place: 'users' },
    );
  }
}
