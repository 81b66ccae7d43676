import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { ROLES } from './roles.js';
import type { Role } from './roles.js';
import type { User } from './user.entity.js';

/** A person in the API. */
export class UserView {
  @Field({ example: '0198f3a2-7c1b-7000-8000-0000000000b1' })
  id: string;

  @Field({ example: 'Ada' })
  display_name: string;

  @Field({
    example: 'ada@example.com',
    description: 'empty when unknown, and for tokens without the scope `users:read.email`',
  })
  email: string;

  @Field({ enum: ROLES, example: 'member' })
  role: Role;

  @Field({ example: true })
  is_active: boolean;

  @Field({ example: '2026-11-01T09:00:00.000Z' })
  created_at: string;
}

export class QuietHoursView {
  @Field({ example: '22:00' })
  start: string;

  @Field({ example: '07:00' })
  end: string;

  @Field({ example: 'Europe/Berlin' })
  time_zone: string;
}

export class NotificationSettingsView {
  @Field({ example: '2026-11-01T18:00:00.000Z', nullable: true })
  dnd_until: string | null;

  @Field({ type: QuietHoursView, nullable: true })
  quiet_hours: QuietHoursView | null;
}

/** A person as they see themselves: with their notification settings. */
export class OwnUserView extends UserView {
  @Field({ type: NotificationSettingsView })
  notifications: NotificationSettingsView;
}

export class UserAnswer extends OkAnswer {
  @Field({ type: UserView })
  user: UserView;
}

export class UserTokenAnswer extends OkAnswer {
  @Field({ example: 'tlu_…', description: 'shown only in this response' })
  token: string;
}

export class CreatedUserAnswer extends UserAnswer {
  @Field({ example: 'tlu_…', description: 'shown only in this response' })
  token: string;
}

export class UsersPage extends PageAnswer {
  @Field({ type: UserView, isArray: true })
  users: UserView[];
}

export class MeAnswer extends OkAnswer {
  @Field({ type: OwnUserView })
  user: OwnUserView;
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

/**
 * The fields that the audit log shows. Notification settings are private, and the token is a
 * secret.
 */
export function auditedUser({
  displayName,
  email,
  role,
  isActive,
}: Pick<User, 'displayName' | 'email' | 'role' | 'isActive'>): Record<string, unknown> {
  return { display_name: displayName, email, role, is_active: isActive };
}
