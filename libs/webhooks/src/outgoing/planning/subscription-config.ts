import type { SubscriptionSettings } from '../subscriptions/subscription.js';

/** Settings that every record has. Records of earlier versions may lack any other. */
type AlwaysPresent = Pick<
  SubscriptionSettings,
  'eventTypes' | 'channelIds' | 'trigger' | 'triggerConfig' | 'includeContext' | 'contextSize'
>;

/**
 * The settings that decide whether and how a subscription receives an event, without secret and
 * address. Sent in `outgoing_webhook.changed`.
 */
export type SubscriptionConfig = { id: string } & AlwaysPresent &
  Partial<Omit<SubscriptionSettings, 'name' | 'url' | 'status'>>;

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
