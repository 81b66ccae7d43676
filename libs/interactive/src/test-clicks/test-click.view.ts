import { Field, OkAnswer } from '@tieline/platform/http';

/** Result of a test click. */
export class TestClickResultView {
  @Field({
    type: Number,
    example: 200,
    nullable: true,
    description: 'null if there was no answer; see `error`',
  })
  status_code: number | null;

  @Field({
    type: String,
    example: 'timeout',
    nullable: true,
    description: 'why there was no answer or why it was invalid; null for a valid answer',
  })
  error: string | null;

  @Field({ example: 42, description: 'milliseconds' })
  duration_ms: number;

  @Field({ example: '{"noop":true}', description: 'the first 4 KiB of the response' })
  response: string;
}

export class TestClickAnswer extends OkAnswer {
  @Field({
    enum: ['called_back', 'queued'],
    example: 'called_back',
    description: '`queued`: the bot is in poll mode and receives the click with its events',
  })
  delivered_by: 'called_back' | 'queued';

  @Field({ type: TestClickResultView, optional: true, description: 'for `called_back`' })
  result?: TestClickResultView;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d51', optional: true, description: 'for `queued`' })
  interaction_id?: string;
}
