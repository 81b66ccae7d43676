import { Field, OkAnswer } from '@tieline/platform/http';

/** A person or bot that was found by name. */
export class FoundPersonView {
  @Field({ example: '0198f3a2-7c1b-7000-8000-0000000000b1' })
  id: string;

  @Field({ enum: ['user', 'bot'], example: 'user' })
  type: 'user' | 'bot';

  @Field({ example: 'Ada' })
  display_name: string;
}

/** Response of GET /client/search/people. */
export class FoundPeopleAnswer extends OkAnswer {
  @Field({ type: FoundPersonView, isArray: true, description: 'names that begin with `q` first' })
  people: FoundPersonView[];
}
