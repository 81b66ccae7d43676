import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { ROLES } from './roles.js';
import type { Role } from './roles.js';
import type { User } from './user.entity.js';

/** A person as bots see them. */
export class PersonView {
  @Field({ example: '0198f3a2-7c1b-7000-8000-0000000000b1' })
  id: string;

  @Field({ example: 'Ada' })
  display_name: string;

  @Field({ enum: ROLES, example: 'member' })
  role: Role;

  @Field({ example: true })
  is_active: boolean;

  @Field({
    example: 'ada@example.com',
    optional: true,
    description: 'if it is known, the space lets bots see it, and the token has the scope `users:read.email`',
  })
  email?: string;
}

export class PersonAnswer extends OkAnswer {
  @Field({ type: PersonView })
  user: PersonView;
}

export class PeoplePage extends PageAnswer {
  @Field({ type: PersonView, isArray: true })
  users: PersonView[];
}

/** `withEmail`: whether the caller may see addresses. */
export function personView(
  { id, displayName, role, isActive, email }: Omit<User, 'tokenHash'>,
  withEmail: boolean,
): PersonView {
  return {
    id,
    display_name: displayName,
    role,
    is_active: isActive,
    ...(withEmail && email !== '' && { email }),
  };
}
