import { EventEnvelope } from '@tieline/conversations';
import { Field } from '@tieline/platform/http';
import type { Sent } from '@tieline/platform/http';
import { NoticeView } from '@tieline/spaces';

/* Events sent only to subscriptions, for OpenAPI. */

class TestData {
  @Field({ example: 'This is a test delivery.' })
  message: string;
}

export class WebhookTestEvent extends EventEnvelope {
  @Field({ enum: ['WEBHOOK_TEST'] })
  override event_type: 'WEBHOOK_TEST';

  @Field({ type: TestData })
  data: TestData;
}

export class NoticeCreatedEvent extends EventEnvelope {
  @Field({ enum: ['NOTICE_CREATED'] })
  override event_type: 'NOTICE_CREATED';

  @Field({ type: NoticeView })
  data: NoticeView;
}

export const SENT_TO_SUBSCRIPTIONS: readonly Sent[] = [
  { event: 'WEBHOOK_TEST', summary: 'An admin tests a subscription', payload: WebhookTestEvent },
  {
    event: 'NOTICE_CREATED',
    summary: 'Something in the space needs the attention of an admin',
    payload: NoticeCreatedEvent,
  },
];
