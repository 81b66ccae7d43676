import { Field, OkAnswer } from '@tieline/platform/http';

/** Response to a bot that opens, pushes or updates a modal. */
export class BotModalAnswer extends OkAnswer {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d61' })
  modal_id: string;
}
