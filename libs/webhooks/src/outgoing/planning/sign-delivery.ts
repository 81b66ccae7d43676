import { serviceSignatures, signVersioned } from '@tieline/signing';
import type { LiveSecrets } from '@tieline/signing';

/** Contract: major payload version, as a string. */
const WEBHOOK_VERSION = '1';

/** What the fixed headers of one delivery are made of. */
export interface SignedDelivery {
  deliveryId: string;
  eventType: string;
  /** Unix seconds. */
  timestamp: number;
  secrets: LiveSecrets;
  body: Buffer;
}

/**
 * The headers that are fixed before the first attempt and identical on every retry (contract,
 * sections Authentication 4 and Outgoing webhook delivery), also across a rotation of the secret.
 */
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

/** The present in the unit of the timestamp headers. */
export function unixSeconds(now = Date.now()): number {
  return Math.floor(now / 1000);
}
