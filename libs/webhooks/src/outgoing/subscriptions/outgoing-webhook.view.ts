import type { BreakerView } from '@tieline/delivery';
import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { viewOf } from '@tieline/platform/resource';
import { PREVIOUS_SECRET_FIELD, unexpired } from '@tieline/signing';
import type { OutgoingWebhook } from './outgoing-webhook.entity.js';
import { SUBSCRIPTION } from './subscription.js';

/** `subscription` of the admin endpoints. */
export class SubscriptionView extends viewOf(SUBSCRIPTION) {}

export class SubscriptionAnswer extends OkAnswer {
  @Field({ type: SubscriptionView })
  subscription: SubscriptionView;
}

export class SubscriptionsPage extends PageAnswer {
  @Field({ type: SubscriptionView, isArray: true })
  subscriptions: SubscriptionView[];
}

class SubscriptionSecretAnswer extends OkAnswer {
  @Field({
    example: 'whsec_VGllbGluZSB0ZXN0IHZlY3RvciwgbmV2ZXIgdXNlISE=',
    description: 'shown only once',
  })
  signing_secret: string;
}

export class RotatedSubscriptionSecretAnswer extends SubscriptionSecretAnswer {
  @Field(PREVIOUS_SECRET_FIELD)
  previous_secret_expires_at?: string;
}

export class CreatedSubscriptionAnswer extends SubscriptionSecretAnswer {
  @Field({ type: SubscriptionView })
  subscription: SubscriptionView;
}

export function subscriptionView(row: OutgoingWebhook, breaker: BreakerView): SubscriptionView {
  const previousSecretExpiresAt = unexpired(row.previousSecretExpiresAt);
  return SubscriptionView.of({ ...row, breaker, previousSecretExpiresAt });
}
