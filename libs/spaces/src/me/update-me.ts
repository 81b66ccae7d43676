import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { ActingUser } from '../audit-log/acting.js';
import { changesBetween, recordChange } from '../audit-log/record-change.js';
import { appendPersonChanged } from '../users/person-changed.js';
import { User } from '../users/user.entity.js';
import { lockUser } from '../users/users.queries.js';

/** The fields that people may change in their profile; absent fields stay, null clears. */
export type OwnChanges = Partial<Pick<User, 'displayName' | 'dndUntil' | 'quietHours'>>;

/**
 * Changes the caller's own profile and notification settings. A new name is written to the audit
 * log, because others see it; notification settings are private.
 */
export function updateMe(db: Db, caller: ActingUser, wanted: OwnChanges): Promise<User> {
  const { spaceId, userId, origin } = caller;
  return runInTx(
    db,
    async (tx) => {
      const user = await lockUser(tx, spaceId, userId);
      const {
        displayName = user.displayName,
        dndUntil = user.dndUntil,
        quietHours = user.quietHours,
      } = wanted;
      await tx.manager.update(User, { spaceId, id: userId }, { displayName, dndUntil, quietHours });
      const changes = changesBetween({ display_name: user.displayName }, { display_name: displayName });
      if (Object.keys(changes).length > 0) {
        const record = { ...origin, spaceId, objectType: 'user', objectId: userId, changes };
        await recordChange(tx, { ...record, action: 'user.updated' });
        await appendPersonChanged(tx, { before: user, after: { ...user, displayName } }, origin);
      }
      return Object.assign(user, { displayName, dndUntil, quietHours });
    },
    { spaceId, place: userId },
  );
}
