import type { User } from './user.entity.js';

/** A person on the wire (decisions, sections 7 and 8). `email` is empty when unknown. */
export interface UserView {
  id: string;
  display_name: string;
  email: string;
  role: string;
  is_active: boolean;
  created_at: string;
}

/** How a person sees themself: with what they set for their notifications. */
export interface OwnUserView extends UserView {
  notifications: {
    dnd_until: string | null;
    quiet_hours: { start: string; end: string; time_zone: string } | null;
  };
}

export function userView({ id, displayName, email, role, isActive, createdAt }: User): UserView {
  return {
    id,
    display_name: displayName,
    email,
    role,
    is_active: isActive,
    created_at: createdAt.toISOString(),
  };
}

export function ownUserView(user: User): OwnUserView {
  const { dndUntil, quietHours } = user;
  return {
    ...userView(user),
    notifications: {
      dnd_until: dndUntil?.toISOString() ?? null,
      quiet_hours: quietHours && {
        start: quietHours.start,
        end: quietHours.end,
        time_zone: quietHours.timeZone,
      },
    },
  };
}

/** The fields that the audit log tells of. Notification settings are a person's own business, the token is a secret. */
export function auditedUser({
  displayName,
  email,
  role,
  isActive,
}: Pick<User, 'displayName' | 'email' | 'role' | 'isActive'>): Record<string, unknown> {
  return { display_name: displayName, email, role, is_active: isActive };
}

/** For the OpenAPI document. */
export const USER_EXAMPLE: UserView = {
  id: '0198f3a2-7c1b-7000-8000-0000000000b1',
  display_name: 'Ada',
  email: 'ada@example.com',
  role: 'member',
  is_active: true,
  created_at: '2026-11-01T09:00:00.000Z',
};

/** For the OpenAPI document. */
export const OWN_USER_EXAMPLE: OwnUserView = {
  ...USER_EXAMPLE,
  notifications: {
    dnd_until: null,
    quiet_hours: { start: '22:00', end: '07:00', time_zone: 'Europe/Berlin' },
  },
};
