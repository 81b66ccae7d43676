import { Logger } from '@nestjs/common';
import { SecretBoxError } from '@tieline/signing';
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
  try {
    return box.open(sealed, purposeOf(webhookId));
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    logger.error(`the signing secret of incoming webhook ${webhookId} cannot be opened: ${error.reason}`);
    return undefined;
  }
}

function purposeOf(webhookId: string): string {
  return `incoming:${webhookId}`;
}
