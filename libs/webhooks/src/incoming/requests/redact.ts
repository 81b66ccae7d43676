import { TOKEN_PREFIXES } from '@tieline/platform/http';

/** Maximum size of a logged body, in bytes. */
export const MAX_LOGGED_BODY_BYTES = 16_384;
/**
 * Extra bytes searched for secrets. Longer than any escaped secret, so that one at the end of the
 * logged part is found whole.
 */
export const REDACTION_SLACK_BYTES = 512;

// Matches Tieline's secrets by their format, including their JSON and form escapes.
const SECRETS = new RegExp(
  `${/whsec_(?:[A-Za-z0-9+/=]|%2[BF]|%3D|\\\/)+/.source}|(?:${Object.values(TOKEN_PREFIXES).join('|')})[A-Za-z0-9_-]{20,}`,
  'gi',
);

/**
 * Returns the first 16 KiB of a body with the webhook's token and any of Tieline's secrets
 * redacted.
 */
export function redactBody(body: Buffer, token: string): Buffer {
  const [first, text] = [body.subarray(0, MAX_LOGGED_BODY_BYTES + REDACTION_SLACK_BYTES), 'latin1'];
  const redacted = first
    .toString(text as 'latin1')
    .replace(SECRETS, '***')
    .replaceAll(token, '***');
  return Buffer.from(redacted, 'latin1').subarray(0, MAX_LOGGED_BODY_BYTES);
}
