import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { TOKEN_PREFIXES } from '@tieline/platform/http';
import { hashToken, newToken } from '@tieline/signing';
import type { ActingAdmin } from '../audit-log/acting.js';
import { recordChange } from '../audit-log/record-change.js';
import { mayManage } from '../users/roles.js';
import { lockUser } from '../users/users.queries.js';
import { ownersOnly, userInactive } from '../spaces.errors.js';
import { Invite } from './invite.entity.js';

const INVITE_MS = 7 * 86_400_000;
const INVITE_PREFIX = TOKEN_PREFIXES.invite;

/** An invite with its token, which is stored nowhere. */
export interface NewInvite {
  token: string;
  expiresAt: Date;
}

/**
 * Creates an invite with which a person signs in once within seven days; it replaces an earlier one
 * (docs/sign-in.md#invites). An owner's invite lets its holder become that owner, so only owners
 * create it.
 *
 * @throws 404 when the person is unknown in the space, 403 for an owner's, 409 when the person is
 * deactivated
 */
export function createInvite(
  db: Db,
  { spaceId, role, origin }: ActingAdmin,
  userId: string,
): Promise<NewInvite> {
  return runInTx(
    db,
    async (tx) => {
      const user = await lockUser(tx, spaceId, userId);
      if (!mayManage(role, user.role)) throw ownersOnly();
      if (!user.isActive) throw userInactive();
      const token = newToken(INVITE_PREFIX);
      const expiresAt = new Date(Date.now() + INVITE_MS);
      const key = { spaceId, userId };
      await tx.manager.delete(Invite, key);
      await tx.manager.insert(Invite, { ...key, tokenHash: hashToken(token), expiresAt });
      const record = { spaceId, objectType: 'user', objectId: userId, changes: {} };
      await recordChange(tx, { ...origin, ...record, action: 'user.invited' });
      return { token, expiresAt };
    },
    { spaceId, place: userId },
  );
}
