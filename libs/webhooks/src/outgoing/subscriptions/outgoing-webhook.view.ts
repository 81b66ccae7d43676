import { BreakerView, RETRY_PROFILES } from '@tieline/delivery';
import type { RetryProfile } from '@tieline/delivery';
import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { PREVIOUS_SECRET_FIELD, previousSecretView } from '@tieline/signing';
import { PAYLOADS } from '../planning/thin-data.js';
import type { Payload } from '../planning/thin-data.js';
import type { OutgoingWebhook } from './outgoing-webhook.entity.js';
import { TRIGGERS } from './settings/trigger-config.js';
import type { TriggerConfig } from './settings/trigger-config.js';

/** `subscription` of the admin endpoints. Never contains the signing secret. */
export class SubscriptionView {
  @Field({ example: '0190f2a4-7c1b-7000-8000-00000000abcd' })
  id: string;

  @Field({ example: 'Deploy log' })
  name: string;

  @Field({ example: 'https://receiver.example/hook' })
  url: string;

  @Field({ example: ['MESSAGE_CREATED'] })
  event_types: string[];

  @Field({
    example: ['0190f2a4-7c1b-7000-8000-00000000c001'],
    description: 'empty: all channels of the space',
  })
  channel_ids: string[];

  @Field({ enum: TRIGGERS, example: 'keywords' })
  trigger: string;

  @Field({ example: { keywords: ['deploy'] } })
  trigger_config: TriggerConfig;

  @Field({ example: true })
  include_context: boolean;

  @Field({ example: 10 })
  context_size: number;

  @Field({ enum: ['active', 'inactive'], example: 'active' })
  status: string;

  @Field({ enum: RETRY_PROFILES, example: 'contract' })
  retry_profile: RetryProfile;

  @Field({ enum: PAYLOADS, example: 'full' })
  payload: Payload;

  @Field({ example: false })
  ordered: boolean;

  @Field({ type: BreakerView })
  breaker: BreakerView;

  @Field(PREVIOUS_SECRET_FIELD)
  previous_secret_expires_at?: string;

  @Field({ example: '2026-01-02T03:04:05.678Z' })
  created_at: string;

  @Field({ example: '2026-01-02T03:04:05.678Z' })
  updated_at: string;
}

export class SubscriptionAnswer extends OkAnswer {
  @Field({ type: SubscriptionView })
  subscription: SubscriptionView;
}

export class SubscriptionsPage extends PageAnswer {
  @Field({ type: SubscriptionView, isArray: true })
  subscriptions: SubscriptionView[];
}

export class SubscriptionSecretAnswer extends OkAnswer {
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
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    event_types: row.eventTypes,
    channel_ids: row.channelIds,
    trigger: row.trigger,
    trigger_config: row.triggerConfig,
    include_context: row.includeContext,
    context_size: row.contextSize,
    status: row.status,
    retry_profile: row.retryProfile,
    payload: row.payload,
    ordered: row.ordered,
    breaker,
    ...previousSecretView(row.previousSecretExpiresAt),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
