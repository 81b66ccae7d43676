import { Field, OkAnswer } from '@tieline/platform/http';

/** Response of GET /client/push_key. */
export class PushKeyAnswer extends OkAnswer {
  @Field({
    example: 'BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U',
    description: 'base64url',
  })
  public_key: string;
}

/** Response of POST /client/push_subscriptions. */
export class PushSubscriptionAnswer extends OkAnswer {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d61' })
  id: string;
}

/** A device of a person. */
export class PushSubscriptionView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d61' })
  id: string;

  @Field({ example: 'https://push.example.com/send/abc', description: 'as the device sent it' })
  endpoint: string;

  @Field({ example: '2026-11-01T09:00:00.000Z' })
  created_at: string;
}

/** Response of GET /client/push_subscriptions. */
export class PushSubscriptionsAnswer extends OkAnswer {
  @Field({ type: PushSubscriptionView, isArray: true })
  push_subscriptions: PushSubscriptionView[];
}
