import type { AttemptFacts, ClaimedDelivery } from '@tieline/delivery';
import { serviceSignatures, signDottedV1, signStandardWebhookLive } from '@tieline/signing';
import type { LiveSecrets } from '@tieline/signing';
import { isSlackType } from '../events/slack-events.js';
import { slackHeaders } from './slack-headers.js';

// Only for the type: the engine never sends a delivery without a body.
const NO_BYTES = Buffer.alloc(0);

/**
 * Returns the headers that sign an attempt with the live secrets, in the X-Service scheme and as
 * Standard Webhooks (docs/push.md#verify-the-signature), and events in Slack's format in Slack's
 * scheme as well.
 */
export function signPush(
  { id, body, eventType }: ClaimedDelivery,
  secrets: LiveSecrets,
  { attempt, now, lastFailure }: AttemptFacts,
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  const bytes = body ?? NO_BYTES;
  return {
    'X-Service-Timestamp': String(timestamp),
    ...serviceSignatures(secrets, (secret) => signDottedV1(secret, timestamp, bytes)),
    'X-Service-Attempt': String(attempt),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signStandardWebhookLive(secrets, id, timestamp, bytes),
    ...(isSlackType(eventType) && slackHeaders(secrets, { timestamp, attempt, body: bytes, lastFailure })),
  };
}

/** Retries of events in Slack's format name why the attempt before failed. */
export const pushReadsLastFailure = ({ eventType }: ClaimedDelivery): boolean => isSlackType(eventType);

/**
 * 3xx and 4xx (including 408) are dead immediately; 429 and 5xx are retried
 * (docs/push.md#responses).
 */
export function classifyPush(status: number): 'success' | 'retry' | 'dead' {
  if (status >= 200 && status < 300) return 'success';
  return status >= 500 || status === 429 ? 'retry' : 'dead';
}
