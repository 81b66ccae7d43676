import type { RowOf } from '@tieline/platform/database';
import { csrfToken, Field, OkAnswer } from '@tieline/platform/http';
import { ownUserView, OwnUserView } from '../users/users.view.js';
import type { User } from '../users/user.entity.js';
import type { Session } from './session.entity.js';
import type { OPEN_INVITE } from './sessions.statements.js';

/** The session data for a page. */
export class OpenSessionAnswer extends OkAnswer {
  @Field({
    example: 'q3vYpVhJ0nY1nq3l8mW2b6m3dZ5u1s7c9e0x4k6t8wA',
    description: 'for the header `X-CSRF-Token`; it stays the same until the session ends',
  })
  csrf_token: string;

  @Field({ example: '2026-11-01T21:00:00.000Z', description: 'twelve hours after the last request' })
  expires_at: string;
}

export class OwnSessionAnswer extends OpenSessionAnswer {
  @Field({ type: OwnUserView })
  user: OwnUserView;
}

/** One of a person's sessions. */
export class SessionView {
  @Field({ example: '0198f3a2-7c1b-7000-8000-0000000000c1' })
  id: string;

  @Field({ example: '2026-11-01T09:00:00.000Z' })
  created_at: string;

  @Field({ example: '2026-11-01T09:00:00.000Z' })
  last_used_at: string;

  @Field({ example: '2026-11-01T21:00:00.000Z' })
  expires_at: string;

  @Field({ example: true, description: 'whether it is the session of this request' })
  is_current: boolean;

  @Field({ example: 'Mozilla/5.0 (X11; Linux x86_64)', description: 'empty when unknown' })
  user_agent: string;

  @Field({ example: '203.0.113.7', description: 'the address that opened it' })
  ip: string;
}

/** The person that an open invite signs in. */
export class OpenInviteAnswer extends OkAnswer {
  @Field({ example: 'Ada', description: 'the person' })
  display_name: string;

  @Field({ example: 'Acme', description: 'their space' })
  space_name: string;

  @Field({ example: '2026-11-08T09:00:00.000Z', description: 'when it expires' })
  expires_at: string;
}

export class SessionsAnswer extends OkAnswer {
  @Field({ type: SessionView, isArray: true })
  sessions: SessionView[];
}

export function openInviteAnswer(invite: RowOf<typeof OPEN_INVITE>): OpenInviteAnswer {
  return {
    ok: true,
    display_name: invite.displayName,
    space_name: invite.spaceName,
    expires_at: invite.expiresAt.toISOString(),
  };
}

/** `token`: the token in the cookie. */
export function openSessionAnswer({ expiresAt }: Session, token: string): OpenSessionAnswer {
  return { ok: true, csrf_token: csrfToken(token), expires_at: expiresAt.toISOString() };
}

export function ownSessionAnswer(session: Session, token: string, user: User): OwnSessionAnswer {
  return { ...openSessionAnswer(session, token), user: ownUserView(user) };
}

/** `current`: the hash of the token of the request, if any. */
export function sessionView(session: Session, current: Buffer | undefined): SessionView {
  return {
    id: session.id,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    is_current: current !== undefined && session.tokenHash.equals(current),
    user_agent: session.userAgent,
    ip: session.ip,
  };
}
