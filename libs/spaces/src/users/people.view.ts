import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { field, viewOf } from '@tieline/platform/resource';
import type { User } from './user.entity.js';
import { USER } from './user.js';

const { id, displayName, role, isActive, email } = USER;
const EMAIL = {
  optional: true,
  description: 'if it is known, the space lets bots see it, and the token has the scope `users:read.email`',
} as const;

/** A person as bots see them. */
export class PersonView extends viewOf({
  ...{ id, displayName, role, isActive },
  email: field('text', { ...email.declared, shown: EMAIL }),
}) {}

export class PersonAnswer extends OkAnswer {
  @Field({ type: PersonView })
  user: PersonView;
}

export class PeoplePage extends PageAnswer {
  @Field({ type: PersonView, isArray: true })
  users: PersonView[];
}

/** `withEmail`: whether the caller may see addresses. */
export function personView(user: User, withEmail: boolean): PersonView {
  return PersonView.of({ ...user, email: withEmail && user.email !== '' ? user.email : null });
}
