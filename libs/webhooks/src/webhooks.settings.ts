import { int, settings } from '@tieline/platform/config';
import { perPlan } from '@tieline/spaces';

export class IncomingWebhookSettings extends settings('Incoming webhooks', {
  autoDisableThreshold: int('INCOMING_AUTO_DISABLE_THRESHOLD', {
    default: 100,
    min: 1,
    max: 1_000_000,
    text: 'consecutive failures that disable an [incoming webhook](incoming-webhooks.md)',
  }),
}) {}

/** Delivery rate of subscriptions. */
export class OutgoingWebhookSettings extends settings('Outgoing webhooks', {
  ratePerSecond: perPlan('RATE_DELIVERIES_PER_SECOND', {
    shown: '5,20,100',
    text: 'deliveries per second to one subscription',
  }),
}) {}
