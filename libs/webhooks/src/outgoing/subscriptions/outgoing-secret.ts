import { Logger } from '@nestjs/common';
import type { SecretBox, SecretColumn } from '@tieline/signing';

const logger = new Logger('OutgoingWebhooks');

/** Where the signing secrets of subscriptions are stored. */
export const OUTGOING_SECRET: SecretColumn = {
  table: 'outgoing_webhooks',
  keyColumns: ['space_id', 'id'],
  secretColumn: 'signing_secret',
  aad: ({ id }) => purposeOf(id ?? ''),
};

/** Encrypts a subscription's signing secret for `outgoing_webhooks.signing_secret`. */
export function sealSecret(box: SecretBox, subscriptionId: string, secret: string): Buffer {
  return box.seal(secret, purposeOf(subscriptionId));
}

/** Decrypts what {@link sealSecret} made for the same subscription; undefined, and an entry in the log, when no known key opens it. */
export function tryOpenSecret(box: SecretBox, subscriptionId: string, sealed: Buffer): string | undefined {
  return box.tryOpen(sealed, purposeOf(subscriptionId), (reason) =>
    logger.error(`the signing secret of subscription ${subscriptionId} cannot be opened: ${reason}`),
  );
}

function purposeOf(subscriptionId: string): string {
  return `outgoing:${subscriptionId}`;
}
