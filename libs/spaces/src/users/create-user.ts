import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { auditedOf, withDefaults } from '@tieline/platform/resource';
import { hashToken } from '@tieline/signing';
import type { ActingAdmin } from '../audit-log/acting.js';
import { changesBetween, recordChange } from '../audit-log/record-change.js';
import type { Origin } from '../audit-log/record-change.js';
import { requireCapacity } from '../spaces/require-capacity.js';
import { appendPersonChanged } from './person-changed.js';
import { mayManage } from './roles.js';
import { ownersOnly } from '../spaces.errors.js';
import { SpaceLimitSettings } from '../spaces.settings.js';
import { User } from './user.entity.js';
import { USER } from './user.js';
import type { NewUser } from './user.js';
import { COUNT_ACTIVE_USERS } from './users.statements.js';
import { newUserToken } from './new-user-token.js';

/** A new person with their token, which is stored nowhere. */
export interface CreatedUser {
  user: User;
  token: string;
}

/** Creates people. */
@Injectable()
export class CreateUser {
  constructor(
    private readonly db: Db,
    private readonly settings: SpaceLimitSettings,
  ) {}

  /**
   * Creates a person in the caller's space.
   * @throws 403 when a non-owner creates an owner; 409 `limit_reached` by the plan's limit of
   * active people
   */
  async run({ spaceId, role, origin }: ActingAdmin, input: NewUser): Promise<CreatedUser> {
    const user = withDefaults(USER, input);
    if (!mayManage(role, user.role)) throw ownersOnly();
    return runInTx(
      this.db,
      async (tx) => {
        if (user.isActive) await requireCapacityForPerson(tx, spaceId, this.settings);
        const created = await insertUser(tx, { ...user, spaceId }, origin);
        await appendPersonChanged(tx, { before: null, after: created.user }, origin);
        return created;
      },
      { spaceId, place: 'users' },
    );
  }
}

/** Checks that one more person may be active. @throws 409 `limit_reached` */
export function requireCapacityForPerson(
  tx: Tx,
  spaceId: string,
  { limits: { people: limits } }: SpaceLimitSettings,
): Promise<void> {
  return requireCapacity(tx, spaceId, { name: 'active people', limits, count: COUNT_ACTIVE_USERS });
}

/** Writes a person, their token's hash and the audit entry. */
export async function insertUser(
  tx: Tx,
  fields: NewUser & { spaceId: string },
  origin: Origin,
): Promise<CreatedUser> {
  const token = newUserToken();
  const user: User = {
    ...withDefaults(USER, fields),
    id: uuidv7(),
    createdAt: new Date(),
    tokenHash: hashToken(token),
    dndUntil: null,
    quietHours: null,
  };
  await tx.manager.insert(User, user);
  const changes = changesBetween(null, auditedOf(USER, user));
  await recordChange(tx, {
    ...origin,
    spaceId: user.spaceId,
    action: 'user.created',
    objectType: 'user',
    objectId: user.id,
    changes,
  });
  return { user, token };
}
