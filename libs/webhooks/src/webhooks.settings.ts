import { int, settings } from '@tieline/platform/config';

/** Incoming webhooks. */
export class IncomingWebhookSettings extends settings('Incoming webhooks', {
  autoDisableThreshold: int('INCOMING_AUTO_DISABLE_THRESHOLD', {
    default: 100,
    min: 1,
    max: 1_000_000,
    text: 'failures in a row that switch an [incoming webhook](incoming-webhooks.md) off',
  }),
}) {}
