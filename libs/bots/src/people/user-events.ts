import { chatEvents } from '@tieline/conversations';
import { Field } from '@tieline/platform/http';
import { PERSON_CHANGES, PersonView } from '@tieline/spaces';
import type { PersonChange } from '@tieline/spaces';

const USER_ID = { example: '0198f3a2-7c1b-7000-8000-0000000000b1' } as const;
const OCCURRED_AT = { example: '2026-01-31T09:00:02.345Z' } as const;

class UserCreatedData {
  @Field({ enum: ['USER_CREATED'] })
  event_type: 'USER_CREATED';

  @Field(USER_ID)
  user_id: string;

  @Field({ type: PersonView })
  user: PersonView;

  @Field(OCCURRED_AT)
  occurred_at: string;
}

class UserUpdatedData {
  @Field({ enum: ['USER_UPDATED'] })
  event_type: 'USER_UPDATED';

  @Field(USER_ID)
  user_id: string;

  @Field({ type: PersonView, description: 'the person after the change' })
  user: PersonView;

  @Field({ enum: PERSON_CHANGES, isArray: true, example: ['display_name'], description: 'what changed' })
  changes: PersonChange[];

  @Field(OCCURRED_AT)
  occurred_at: string;
}

/** `data` of the events of people. */
export type UserEventData = UserCreatedData | UserUpdatedData;

/** Sent to bots that select it when an admin creates a person. */
export const userCreated = chatEvents.declare({
  event: 'USER_CREATED',
  summary: 'A person was added to the space',
  data: UserCreatedData,
  ids: ['user_id'],
  subscribers: ['bots'],
});

/** Sent to bots that select it when something changes that they can see of a person. */
export const userUpdated = chatEvents.declare({
  event: 'USER_UPDATED',
  summary: "A person's name, role, address or state changed",
  data: UserUpdatedData,
  ids: ['user_id', 'changes'],
  subscribers: ['bots'],
});
