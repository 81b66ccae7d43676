import { Field, OkAnswer } from '@tieline/platform/http';

const FAILING_OBJECTS = ['bot', 'incoming_webhook', 'outgoing_webhook'] as const;
const KINDS = ['paused', 'switched_off', 'callbacks'] as const;

/** A current failure. */
export class FailureView {
  @Field({ enum: FAILING_OBJECTS, example: 'outgoing_webhook' })
  object_type: (typeof FAILING_OBJECTS)[number];

  @Field({ example: '0190f2a4-7c1b-7000-8000-00000000abcd' })
  object_id: string;

  @Field({ example: 'Deploy log' })
  name: string;

  @Field({
    enum: KINDS,
    example: 'paused',
    description:
      '`paused`: its receiver fails, deliveries wait; `switched_off`: by itself, after too many failures; `callbacks`: the bot does not answer clicks, modals and commands',
  })
  kind: (typeof KINDS)[number];

  @Field({ example: 10 })
  consecutive_failures: number;

  @Field({
    example: '2026-11-21T09:00:30.000Z',
    optional: true,
    description: 'of `paused`: when one delivery is tried',
  })
  open_until?: string;
}

export class FailuresAnswer extends OkAnswer {
  @Field({ type: FailureView, isArray: true })
  failures: FailureView[];
}
