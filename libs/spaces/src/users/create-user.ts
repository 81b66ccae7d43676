import { v7 as uuidv7 } from 'uuid';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { AdminPrincipal } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { byUser, changesBetween, recordChange } from '../audit-log/record-change.js';
import type { Origin } from '../audit-log/record-change.js';
import { mayManage } from './roles.js';
import { ownersOnly } from '../spaces.errors.js';
import { User } from './user.entity.js';
import { auditedUser } from './users.view.js';
import { newUserToken } from './new-user-token.js';

/** A new person's fields. */
export type NewUser = Pick<User, 'displayName' | 'email' | 'role' | 'isActive'>;

/** A new person with their token, which is kept nowhere else. */
export interface CreatedUser {
  user: User;
  token: string;
}

/**
 * Makes a person in the caller's space (decisions, section 7).
 * @throws 403 when somebody who is not an owner makes an owner
 */
export async function createUser(
  db: Db,
  caller: AdminPrincipal,
  user: NewUser,
  ip: string,
): Promise<CreatedUser> {
  if (!mayManage(caller.role, user.role)) throw ownersOnly();
  return runInTx(db, (tx) => insertUser(tx, { ...user, spaceId: caller.spaceId }, byUser(caller, ip)), {
    spaceId: caller.spaceId,
    place: 'users',
  });
}

/** Writes a person, their token's hash and the audit entry. */
export async function insertUser(
  tx: Tx,
  fields: NewUser & { spaceId: string },
  origin: Origin,
): Promise<CreatedUser> {
  const token = newUserToken();
  const user = tx.manager.create(User, {
    ...fields,
    id: uuidv7(),
    tokenHash: hashToken(token),
    dndUntil: null,
    quietHours: null,
  });
  await tx.manager.insert(User, user);
  const changes = changesBetween(null, auditedUser(user));
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
