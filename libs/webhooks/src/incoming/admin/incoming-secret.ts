import { Logger } from '@nestjs/common';
import { openLive } from '@tieline/signing';
import type { LiveSecrets, SecretBox, SecretColumn } from '@tieline/signing';

const logger = new Logger('IncomingWebhooks');

/** Where the signing secrets of incoming webhooks are stored. */
export const INCOMING_SECRET: SecretColumn = {
  table: 'incoming_webhooks',
  keyColumns: ['space_id', 'id'],
  secretColumn: 'signing_secret',
  aad: ({ id }) => purposeOf(id ?? ''),
};

/** Where the secrets of senders' own signature schemes are stored. */
export const INCOMING_NATIVE_SECRET: SecretColumn = {
  table: 'incoming_webhooks',
  keyColumns: ['space_id', 'id'],
  secretColumn: 'native_secret',
  aad: ({ id }) => nativePurposeOf(id ?? ''),
};

/**
 * Encrypts the secret of a sender's own scheme for `incoming_webhooks.native_secret`; null for an
 * empty one, which means none.
 */
export function sealNativeSecret(box: SecretBox, webhookId: string, secret: string): Buffer | null {
  return secret === '' ? null : box.seal(secret, nativePurposeOf(webhookId));
}

/**
 * Decrypts what {@link sealNativeSecret} made for the same webhook; undefined when no known key
 * opens it, which is logged.
 */
export function openNativeSecret(box: SecretBox, id: string, sealed: Buffer): string | undefined {
  return box.tryOpen(sealed, nativePurposeOf(id), (reason) =>
    logger.error(`the native secret of incoming webhook ${id} cannot be opened: ${reason}`),
  );
}

/** Encrypts a webhook's signing secret for `incoming_webhooks.signing_secret`. */
export function sealIncomingSecret(box: SecretBox, webhookId: string, secret: string): Buffer {
  return box.seal(secret, purposeOf(webhookId));
}

/** A webhook's secrets as they are stored. */
export interface SealedIncomingSecrets {
  id: string;
  signingSecret: Buffer;
  /** Null when none is live. */
  previousSecret: Buffer | null;
}

/**
 * Decrypts what {@link sealIncomingSecret} made for the same webhook; undefined when no known key
 * opens the present one. What can't be opened gets an entry in the log.
 */
export function openIncomingSecrets(
  box: SecretBox,
  { id, signingSecret, previousSecret }: SealedIncomingSecrets,
): LiveSecrets | undefined {
  return openLive(signingSecret, previousSecret, (sealed) =>
    box.tryOpen(sealed, purposeOf(id), (reason) =>
      logger.error(`the signing secret of incoming webhook ${id} cannot be opened: ${reason}`),
    ),
  );
}

function nativePurposeOf(webhookId: string): string {
  return `incoming-native:${webhookId}`;
}

function purposeOf(webhookId: string): string {
  return `incoming:${webhookId}`;
}
