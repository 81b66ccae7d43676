import { Field, PageAnswer } from '@tieline/platform/http';

/** A member of a conversation. */
export class MemberView {
  @Field({ example: '0198f3a2-7c1b-7000-8000-0000000000b1' })
  id: string;

  @Field({ enum: ['user', 'bot'], example: 'user' })
  type: 'user' | 'bot';

  @Field({ example: 'Ada' })
  display_name: string;
}

/** Response of GET /bot/conversations/{id}/members and GET /client/conversations/{id}/members. */
export class MembersPage extends PageAnswer {
  @Field({ type: MemberView, isArray: true })
  members: MemberView[];
}
