import { Logger } from '@nestjs/common';
import { openLive } from '@tieline/signing';
import type { LiveSecrets, SecretBox, SecretColumn } from '@tieline/signing';

const logger = new Logger('IncomingWebhooks');

/** Column with the sealed signing secrets of incoming webhooks. */
export const INCOMING_SECRET: SecretColumn = {
  table: 'incoming_webhooks',
  keyColumns: ['space_id', 'id'],
  secretColumn: 'signing_secret',
  aad: ({ id }) => purposeOf(id ?? ''),
};

/** Column with the sealed secrets of the senders' own signature schemes. */
export const INCOMING_NATIVE_SECRET: SecretColumn = {
  table: 'incoming_webhooks',
  keyColumns: ['space_id', 'id'],
  secretColumn: 'native_secret',
  aad: ({ id }) => nativePurposeOf(id ?? ''),
};

/**
 * Encrypts the secret of a sender's own signature scheme for `incoming_webhooks.native_secret`.
 * Returns null for an empty secret, which turns the scheme off.
 */
export function sealNativeSecret(box: SecretBox, webhookId: string, secret: string): Buffer | null {
  return secret === '' ? null : box.seal(secret, nativePurposeOf(webhookId));
}

/**
 * Decrypts a secret sealed by {@link sealNativeSecret} for the same webhook. Returns undefined and
 * logs an error when no known key opens it.
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

/** A webhook's signing secrets as stored. */
export interface SealedIncomingSecrets {
  id: string;
  signingSecret: Buffer;
  /** Null when no previous secret is valid. */
  previousSecret: Buffer | null;
}

/**
 * Decrypts the secrets sealed by {@link sealIncomingSecret} for the same webhook. Returns undefined
 * when no known key opens the current one. Logs every secret that cannot be opened.
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
