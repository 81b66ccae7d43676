import { chatEvents } from '@tieline/conversations';
import { Field } from '@tieline/platform/http';

class TestData {
  @Field({ example: 'This is a test delivery.' })
  message: string;
}

/** Test deliveries. Subscriptions cannot select them. */
export const webhookTest = chatEvents.declare({
  event: 'WEBHOOK_TEST',
  summary: 'An admin tests a subscription',
  data: TestData,
  ids: [],
  subscribers: [],
});
