import { serviceSignatures, signVersioned } from '@tieline/signing';
import type { LiveSecrets } from '@tieline/signing';

/** Major version of the payload format, as a string. */
const WEBHOOK_VERSION = '1';

/** Input for the fixed headers of a delivery. */
export interface SignedDelivery {
  deliveryId: string;
  eventType: string;
  /** Unix seconds. */
  timestamp: number;
  secrets: LiveSecrets;
  body: Buffer;
}

/** Returns the headers that stay identical on every retry, even after a rotation of the secret. */
export function fixedHeaders({
  deliveryId,
  eventType,
  timestamp,
  secrets,
  body,
}: SignedDelivery): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'X-Service-Event': eventType,
    'X-Service-Delivery-Id': deliveryId,
    'X-Service-Timestamp': String(timestamp),
    ...serviceSignatures(secrets, (secret) => signVersioned(secret, timestamp, body)),
    'X-Service-Webhook-Version': WEBHOOK_VERSION,
  };
}

/** Returns the current time in Unix seconds. */
export function unixSeconds(now = Date.now()): number {
  return Math.floor(now / 1000);
}
