import { int, settings } from '@tieline/platform/config';

/** Rate of routes without a specific rate. */
export class CallerRateSettings extends settings('Rate for all other writes', {
  otherWritesPerMinute: int('RATE_OTHER_WRITES_PER_MINUTE', {
    default: 3000,
    min: 1,
    max: 1_000_000,
    text: 'writes without a specific rate, per bot, person or admin',
  }),
}) {}
