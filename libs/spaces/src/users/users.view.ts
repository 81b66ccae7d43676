import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { viewOf } from '@tieline/platform/resource';
import type { User } from './user.entity.js';
import { USER } from './user.js';

/** A person in the API. */
export class UserView extends viewOf(USER) {}

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

export function ownUserView(user: User): OwnUserView {
  const { dndUntil, quietHours } = user;
  return {
    ...UserView.of(user),
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
