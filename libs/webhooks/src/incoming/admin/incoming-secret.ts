import { Logger } from '@nestjs/common';
import { RowSecret } from '@tieline/signing';
import type { LiveSecrets, SealedSecrets, SecretBox } from '@tieline/signing';

const logger = new Logger('IncomingWebhooks');

/** The signing secrets of incoming webhooks. */
export const INCOMING_SECRET = new RowSecret('incoming_webhooks', 'signing_secret', 'incoming');

/** The secrets of the senders' own signature schemes. */
export const INCOMING_NATIVE_SECRET = new RowSecret('incoming_webhooks', 'native_secret', 'incoming-native');

/**
 * Encrypts the secret of a sender's own signature scheme. Returns null for an empty secret, which
 * turns the scheme off.
 */
export function sealNativeSecret(box: SecretBox, webhookId: string, secret: string): Buffer | null {
  return secret === '' ? null : INCOMING_NATIVE_SECRET.seal(box, webhookId, secret);
}

/** Decrypts a secret sealed by {@link sealNativeSecret} for the same webhook. */
export function openNativeSecret(box: SecretBox, id: string, sealed: Buffer): string | undefined {
  return INCOMING_NATIVE_SECRET.tryOpen(box, id, sealed, (reason) =>
    logger.error(`the native secret of incoming webhook ${id} cannot be opened: ${reason}`),
  );
}

/**
 * Decrypts the signing secrets of a webhook. Returns undefined when no known key opens the current
 * one. Logs every secret that cannot be opened.
 */
export function openIncomingSecrets(box: SecretBox, secrets: SealedSecrets): LiveSecrets | undefined {
  return INCOMING_SECRET.openLive(box, secrets, (reason) =>
    logger.error(`the signing secret of incoming webhook ${secrets.id} cannot be opened: ${reason}`),
  );
}
