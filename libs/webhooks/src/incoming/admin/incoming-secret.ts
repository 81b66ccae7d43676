import { Logger } from '@nestjs/common';
import type { SecretBox, SecretColumn } from '@tieline/signing';

const logger = new Logger('IncomingWebhooks');

/** Where the signing secrets of incoming webhooks are stored. */
export const INCOMING_SECRET: SecretColumn = {
  table: 'incoming_webhooks',
  keyColumns: ['space_id', 'id'],
  secretColumn: 'signing_secret',
  aad: ({ id }) => purposeOf(id ?? ''),
};

/** Encrypts a webhook's signing secret for `incoming_webhooks.signing_secret`. */
export function sealIncomingSecret(box: SecretBox, webhookId: string, secret: string): Buffer {
  return box.seal(secret, purposeOf(webhookId));
}

/** Decrypts what {@link sealIncomingSecret} made for the same webhook; undefined, and an entry in the log, when no known key opens it. */
export function openIncomingSecret(box: SecretBox, webhookId: string, sealed: Buffer): string | undefined {
  return box.tryOpen(sealed, purposeOf(webhookId), (reason) =>
    logger.error(`the signing secret of incoming webhook ${webhookId} cannot be opened: ${reason}`),
  );
}

function purposeOf(webhookId: string): string {
  return `incoming:${webhookId}`;
}
