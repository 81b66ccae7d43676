import type { RetryProfile } from '@tieline/delivery';
import type { Payload } from './thin-data.js';
import type { Trigger, TriggerConfig } from '../subscriptions/settings/trigger-config.js';

/**
 * What decides whether and how a subscription gets an event: no secret, no address. Travels in
 * `outgoing_webhook.changed`.
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
  /** Absent in what was written before there were profiles. */
  retryProfile?: RetryProfile;
  /** Absent in what was written before there were thin ones. */
  payload?: Payload;
  /** Absent: false. */
  ordered?: boolean;
}

/** Outbox type: a subscription was made, changed, switched on or off, or deleted. */
export const OUTGOING_WEBHOOK_CHANGED = 'outgoing_webhook.changed';

/**
 * Payload of {@link OUTGOING_WEBHOOK_CHANGED}. `config` is null from the moment on at which it gets
 * nothing: inactive or deleted.
 */
export interface SubscriptionChange {
  id: string;
  config: SubscriptionConfig | null;
}
