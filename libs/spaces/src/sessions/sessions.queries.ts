import { IsNull, MoreThan } from 'typeorm';
import type { Db } from '@tieline/platform/database';
import { invalidToken } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { Session } from './session.entity.js';

/** The open sessions of a person, newest first; a handful. */
export function listSessions(db: Db, { spaceId, userId }: UserPrincipal): Promise<Session[]> {
  return db.manager.find(Session, {
    where: { spaceId, userId, expiresAt: MoreThan(new Date()) },
    order: { createdAt: 'DESC', id: 'DESC' },
  });
}

/** The open sessions of the operator, newest first; a handful. */
export function listOperatorSessions(db: Db): Promise<Session[]> {
  return db.manager.find(Session, {
    where: { userId: IsNull(), expiresAt: MoreThan(new Date()) },
    order: { createdAt: 'DESC', id: 'DESC' },
  });
}

/** One session by the hash of its token. @throws 401 when it was ended meanwhile */
export async function findSession(db: Db, tokenHash: Buffer): Promise<Session> {
  const session = await db.manager.findOneBy(Session, { tokenHash });
  if (!session) throw invalidToken();
  return session;
}
