import { int, settings } from '@tieline/platform/config';
import { perPlan } from '@tieline/spaces';

/** Incoming webhooks. */
export class IncomingWebhookSettings extends settings('Incoming webhooks', {
  autoDisableThreshold: int('INCOMING_AUTO_DISABLE_THRESHOLD', {
    default: 100,
    min: 1,
    max: 1_000_000,
    text: 'failures in a row that switch an [incoming webhook](incoming-webhooks.md) off',
  }),
  limit: perPlan('LIMIT_INCOMING_WEBHOOKS', {
    shown: '300,2000,20000',
    text: 'incoming webhooks of a space',
  }),
}) {}

/**
 * How fast subscriptions get their deliveries (decisions, section 4), and how many a space may have
 * (11.1).
 */
export class OutgoingWebhookSettings extends settings('Outgoing webhooks', {
  ratePerSecond: perPlan('RATE_DELIVERIES_PER_SECOND', {
    shown: '5,20,100',
    text: 'deliveries to one subscription in a second (pushes to bots have no such rate)',
  }),
  limit: perPlan('LIMIT_SUBSCRIPTIONS', { shown: '300,2000,20000', text: 'subscriptions of a space' }),
}) {}
