import { int, settings } from '@tieline/platform/config';

const HOUR_MS = 3_600_000;

/** Retries of deliveries. The timeout of one attempt is in EgressSettings. */
export class DeliverySettings extends settings('Deliveries', {
  maxAttempts: int('DELIVERY_MAX_ATTEMPTS', {
    default: 8,
    min: 1,
    max: 100,
    text: 'attempts before a delivery becomes a dead letter',
  }),
  backoffInitialMs: int('DELIVERY_BACKOFF_INITIAL_MS', {
    default: 5000,
    min: 1,
    max: 24 * HOUR_MS,
    text: 'delay before the second attempt. It doubles with each attempt, ± 20 %',
  }),
  backoffMaxMs: int('DELIVERY_BACKOFF_MAX_MS', {
    default: HOUR_MS,
    min: 1,
    max: 24 * HOUR_MS,
    text: 'longest delay between two attempts',
  }),
  autoDisableThreshold: int('DELIVERY_AUTO_DISABLE_THRESHOLD', {
    default: 100,
    min: 1,
    max: 1_000_000,
    text: 'consecutive dead letters that disable a subscription, or the push of a bot',
  }),
}) {}
