import { Field, OkAnswer } from '@tieline/platform/http';

/** Response of POST /client/dm. */
export class DirectChatAnswer extends OkAnswer {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' })
  conversation_id: string;
}
