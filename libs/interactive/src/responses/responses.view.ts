import { Field, OkAnswer } from '@tieline/platform/http';

/** Response to a bot's late answer. */
export class LateResponseAnswer extends OkAnswer {
  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
    optional: true,
    description: 'for `send_message`: the new message',
  })
  message_id?: string;
}
