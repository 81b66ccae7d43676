import { uuidv7 } from 'uuidv7';
import { signalAccessChange } from '@tieline/live';
import type { Tx } from '@tieline/platform/database';
import { SESSION_SECONDS } from '@tieline/platform/http';
import { Session } from './session.entity.js';
import { END_OLDEST_SESSIONS } from './sessions.statements.js';

/** Maximum per person (docs/sign-in.md#session-lifetime). */
const MAX_SESSIONS = 20;
const MAX_USER_AGENT = 500;

/** The owner of a session: a person, or the operator if absent. */
export interface SessionOwner {
  readonly spaceId: string | null;
  readonly userId: string | null;
}

/** The browser that signs in. */
export interface Browser {
  readonly ip: string;
  readonly userAgent: string | undefined;
}

/**
 * Creates a session; beyond the maximum it replaces the oldest one. The caller holds the owner's
 * lock.
 */
export async function openSession(
  tx: Tx,
  { spaceId, userId }: SessionOwner,
  { ip, userAgent }: Browser,
  tokenHash: Buffer,
): Promise<Session> {
  const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1000);
  const session = tx.manager.create(Session, {
    ...{ id: uuidv7(), spaceId, userId, tokenHash, ip, expiresAt },
    userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? '',
  });
  await tx.manager.insert(Session, session);
  const ended = await tx.query(END_OLDEST_SESSIONS, [spaceId, userId, MAX_SESSIONS]);
  if (ended.length > 0 && userId !== null) await signalAccessChange(tx, userId);
  return session;
}
