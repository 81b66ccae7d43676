import { int, settings } from '@tieline/platform/config';

/** Live streams. */
export class LiveSettings extends settings('Live streams', {
  keepaliveSeconds: int('STREAM_KEEPALIVE_SECONDS', {
    default: 30,
    min: 1,
    max: 3600,
    text: 'interval of `:ping` on live streams',
  }),
}) {}
