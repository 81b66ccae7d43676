import { Field, OkAnswer } from '@tieline/platform/http';

/** Response of POST /bot/dm. */
export class DmAnswer extends OkAnswer {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d31' })
  conversation_id: string;
}
