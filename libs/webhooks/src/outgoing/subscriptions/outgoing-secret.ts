import { Logger } from '@nestjs/common';
import { openLive } from '@tieline/signing';
import type { LiveSecrets, SecretBox, SecretColumn } from '@tieline/signing';

const logger = new Logger('OutgoingWebhooks');

/** Column with the sealed signing secrets of subscriptions. */
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

/** A subscription's signing secrets as stored. */
export interface SealedSecrets {
  id: string;
  signing_secret: Buffer;
  /** Null when no previous secret is valid. */
  previous_secret: Buffer | null;
}

/**
 * Decrypts the secrets sealed by {@link sealSecret} for the same subscription. Returns undefined
 * when no known key opens the current one. Logs every secret that cannot be opened.
 */
export function tryOpenSecrets(
  box: SecretBox,
  { id, signing_secret, previous_secret }: SealedSecrets,
): LiveSecrets | undefined {
  return openLive(signing_secret, previous_secret, (sealed) =>
    box.tryOpen(sealed, purposeOf(id), (reason) =>
      logger.error(`the signing secret of subscription ${id} cannot be opened: ${reason}`),
    ),
  );
}

function purposeOf(subscriptionId: string): string {
  return `outgoing:${subscriptionId}`;
}
