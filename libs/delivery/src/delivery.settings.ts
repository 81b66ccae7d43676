import { int, oneOf, settings } from '@tieline/platform/config';

const HOUR_MS = 3_600_000;
const WAIT = 'wait before attempt N+1: initial × 2^(N-1), at most the maximum, ± 20 %';

/** How often and how long a delivery is tried. The time of one attempt: EgressSettings. */
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
    text: WAIT,
  }),
  backoffMaxMs: int('DELIVERY_BACKOFF_MAX_MS', {
    default: HOUR_MS,
    min: 1,
    max: 24 * HOUR_MS,
    text: 'the longest such wait',
  }),
  autoDisableThreshold: int('DELIVERY_AUTO_DISABLE_THRESHOLD', {
    default: 100,
    min: 1,
    max: 1_000_000,
    text: "dead letters in a row that switch a subscription or a bot's push off",
  }),
}) {}

/** Who plans what follows from events. */
export class RelaySettings extends settings('Relay', {
  shards: oneOf('RELAY_SHARDS', ['1', '2', '4', '8', '16'], {
    default: '1',
    text: 'how many relays share the outbox, each with the events of its spaces; at best the same in all workers; see [Several relays](scaling.md#several-relays)',
  }),
}) {}
