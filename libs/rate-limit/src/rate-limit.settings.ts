import { int, settings } from '@tieline/platform/config';

/** What the routes that have no narrower rate let through. */
export class CallerRateSettings extends settings('Rates of callers', {
  otherWritesPerMinute: int('RATE_OTHER_WRITES_PER_MINUTE', {
    default: 3000,
    min: 1,
    max: 1_000_000,
    text: 'everything that a person, an admin or a bot changes and that has no rate of its own, per caller',
  }),
}) {}
