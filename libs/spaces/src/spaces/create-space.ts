import { uuidv7 } from 'uuidv7';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { auditedOf, withDefaults } from '@tieline/platform/resource';
import { insertUser } from '../users/create-user.js';
import { changesBetween, recordChange } from '../audit-log/record-change.js';
import type { Origin } from '../audit-log/record-change.js';
import { Space } from './space.entity.js';
import { SPACE } from './space.js';
import type { NewSpace } from './space.js';
import type { User } from '../users/user.entity.js';

/** The result of {@link createSpace}. The token is stored nowhere. */
export interface CreatedSpace {
  space: Space;
  owner: User;
  ownerToken: string;
}

/** Creates a space with its first owner, and that owner's token. */
export function createSpace(db: Db, given: NewSpace, origin: Origin): Promise<CreatedSpace> {
  return runInTx(
    db,
    async (tx) => {
      const space: Space = { ...withDefaults(SPACE, given), id: uuidv7(), createdAt: new Date() };
      await tx.manager.insert(Space, space);
      const record = { ...origin, spaceId: space.id, objectType: 'space', objectId: space.id };
      await recordChange(tx, {
        ...record,
        action: 'space.created',
        changes: changesBetween(null, auditedOf(SPACE, space)),
      });
      const { user, token } = await insertUser(
        tx,
        { spaceId: space.id, displayName: 'Owner', role: 'owner' },
        origin,
      );
      return { space, owner: user, ownerToken: token };
    },
    { spaceId: 'operator', place: 'spaces' },
  );
}
