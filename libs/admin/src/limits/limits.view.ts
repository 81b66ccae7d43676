import { Field, OkAnswer } from '@tieline/platform/http';

/** Resources limited by a plan. */
const LIMITED = ['bots', 'incoming_webhooks', 'subscriptions', 'channels', 'people'] as const;

/** A limited resource. */
export class LimitView {
  @Field({
    enum: LIMITED,
    example: 'bots',
    description: 'further names may be added; archived channels and deactivated people do not count',
  })
  name: (typeof LIMITED)[number];

  @Field({ example: 12, description: 'the current number' })
  used: number;

  @Field({ example: 300, description: 'the number that the plan allows' })
  limit: number;
}

export class LimitsAnswer extends OkAnswer {
  @Field({ type: LimitView, isArray: true })
  limits: LimitView[];

  @Field({ example: 5, description: 'deliveries per second to one subscription that the plan allows' })
  deliveries_per_second: number;
}
