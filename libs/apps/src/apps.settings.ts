import { bool, int, settings } from '@tieline/platform/config';

/** Limits of the OAuth endpoints. */
export class OAuthSettings extends settings('Apps', {
  dynamicRegistration: bool('OAUTH_DYNAMIC_REGISTRATION', {
    default: false,
    text: 'programs can [register themselves](oauth.md#dynamic-registration) as OAuth clients',
  }),
  startedPerMinute: int('RATE_OAUTH_PER_MINUTE', {
    default: 600,
    min: 1,
    max: 1_000_000,
    text: '[OAuth](oauth.md) requests that a client address starts per minute and process, and failed authentications of apps; more get 429 until the minute ends',
  }),
}) {}
