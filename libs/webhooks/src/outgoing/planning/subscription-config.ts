import type { RetryProfile } from '@tieline/delivery';
import type { Payload } from './thin-data.js';
import type { Trigger, TriggerConfig } from '../subscriptions/settings/trigger-config.js';

/**
 * The settings that decide whether and how a subscription receives an event, without secret and
 * address. Sent in `outgoing_webhook.changed`.
 */
export interface SubscriptionConfig {
  id: string;
  eventTypes: string[];
  /** Empty: all channels of the space. */
  channelIds: string[];
  trigger: Trigger;
  triggerConfig: TriggerConfig;
  includeContext: boolean;
  contextSize: number;
  /** Absent in records of earlier versions. */
  retryProfile?: RetryProfile;
  /** Absent in records of earlier versions. */
  payload?: Payload;
  /** Absent: false. */
  ordered?: boolean;
}

/** Outbox type: a subscription was created, changed, enabled, disabled or deleted. */
export const OUTGOING_WEBHOOK_CHANGED = 'outgoing_webhook.changed';

/**
 * Payload of {@link OUTGOING_WEBHOOK_CHANGED}. `config` is null if the subscription is inactive or
 * deleted.
 */
export interface SubscriptionChange {
  id: string;
  config: SubscriptionConfig | null;
}
