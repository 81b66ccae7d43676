import { v7 as uuidv7 } from 'uuid';
import { signalAccessChange } from '@tieline/live';
import type { Tx } from '@tieline/platform/database';
import { SESSION_SECONDS } from '@tieline/platform/http';
import { Session } from './session.entity.js';
import { END_OLDEST_SESSIONS } from './sessions.statements.js';

/** Decisions, section 11.1: of one person. */
const MAX_SESSIONS = 20;
const MAX_USER_AGENT = 500;

/** Who signs in: a person, or without one the operator. */
export interface SessionOwner {
  readonly spaceId: string | null;
  readonly userId: string | null;
}

/** The browser that signs in. */
export interface Browser {
  readonly ip: string;
  readonly userAgent: string | undefined;
}

/** Writes a session; one too many takes the oldest one's place. The owner is locked. */
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
