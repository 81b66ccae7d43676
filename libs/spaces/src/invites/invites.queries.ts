import { MoreThan } from 'typeorm';
import type { Db } from '@tieline/platform/database';
import type { AdminPrincipal } from '@tieline/platform/http';
import { mayManage } from '../users/roles.js';
import { findUser } from '../users/users.queries.js';
import { noInvite, ownersOnly } from '../spaces.errors.js';
import { Invite } from './invite.entity.js';

/**
 * Returns a person's open invite. @throws 404 when there is none, or the person is unknown in the
 * space; 403 for an owner's, unless the caller is an owner
 */
export async function findInvite(db: Db, { spaceId, role }: AdminPrincipal, userId: string): Promise<Invite> {
  const user = await findUser(db, spaceId, userId);
  if (!mayManage(role, user.role)) throw ownersOnly();
  const invite = await db.manager.findOneBy(Invite, { spaceId, userId, expiresAt: MoreThan(new Date()) });
  if (!invite) throw noInvite();
  return invite;
}
