import { int, settings } from '@tieline/platform/config';

/** Settings of live streams. */
export class LiveSettings extends settings('Live streams', {
  keepaliveSeconds: int('STREAM_KEEPALIVE_SECONDS', {
    default: 30,
    min: 1,
    max: 3600,
    text: 'interval of `:ping` comments on live streams',
  }),
  perCaller: int('STREAMS_PER_CALLER', {
    default: 10,
    min: 1,
    max: 100_000,
    text: 'live streams per person or bot and process; one more closes the oldest',
  }),
  perProcess: int('STREAMS_MAX', {
    default: 10_000,
    min: 1,
    max: 1_000_000,
    text: 'live streams per process; more get 503',
  }),
}) {}
