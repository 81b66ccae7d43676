import { IsNull, MoreThan } from 'typeorm';
import type { Db } from '@tieline/platform/database';
import { invalidToken } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { Session } from './session.entity.js';

/** Returns the open sessions of a person, newest first. */
export function listSessions(db: Db, { spaceId, userId }: UserPrincipal): Promise<Session[]> {
  return db.manager.find(Session, {
    where: { spaceId, userId, expiresAt: MoreThan(new Date()) },
    order: { createdAt: 'DESC', id: 'DESC' },
  });
}

/** Returns the open sessions of the operator, newest first. */
export function listOperatorSessions(db: Db): Promise<Session[]> {
  return db.manager.find(Session, {
    where: { userId: IsNull(), expiresAt: MoreThan(new Date()) },
    order: { createdAt: 'DESC', id: 'DESC' },
  });
}

/** Returns a session by the hash of its token. @throws 401 when it was ended concurrently */
export async function findSession(db: Db, tokenHash: Buffer): Promise<Session> {
  const session = await db.manager.findOneBy(Session, { tokenHash });
  if (!session) throw invalidToken();
  return session;
}
