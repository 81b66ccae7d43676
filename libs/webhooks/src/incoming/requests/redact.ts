import { TOKEN_PREFIXES } from '@tieline/platform/http';

/** Bytes of a body that the request log keeps. */
export const KEPT_BODY_BYTES = 16_384;
/**
 * Longer than any secret in any escaped form, so that one that starts within the kept part is seen
 * whole.
 */
export const REDACTION_SLACK_BYTES = 512;

// Ours by their shape, also where JSON or a form escaped them.
const SECRETS = new RegExp(
  `${/whsec_(?:[A-Za-z0-9+/=]|%2[BF]|%3D|\\\/)+/.source}|(?:${Object.values(TOKEN_PREFIXES).join('|')})[A-Za-z0-9_-]{20,}`,
  'gi',
);

/**
 * The first 16 KiB of a body for the request log, with our own secrets and the webhook's token
 * redacted.
 */
export function keptBody(body: Buffer, token: string): Buffer {
  const [first, text] = [body.subarray(0, KEPT_BODY_BYTES + REDACTION_SLACK_BYTES), 'latin1'];
  const redacted = first
    .toString(text as 'latin1')
    .replace(SECRETS, '***')
    .replaceAll(token, '***');
  return Buffer.from(redacted, 'latin1').subarray(0, KEPT_BODY_BYTES);
}
