import { Logger } from '@nestjs/common';
import { RowSecret } from '@tieline/signing';
import type { LiveSecrets, SealedSecrets, SecretBox } from '@tieline/signing';

const logger = new Logger('OutgoingWebhooks');

/** The signing secrets of subscriptions. */
export const OUTGOING_SECRET = new RowSecret('outgoing_webhooks', 'signing_secret', 'outgoing');

/**
 * Decrypts the signing secrets of a subscription. Returns undefined when no known key opens the
 * current one. Logs every secret that cannot be opened.
 */
export function tryOpenSecrets(box: SecretBox, secrets: SealedSecrets): LiveSecrets | undefined {
  return OUTGOING_SECRET.openLive(box, secrets, (reason) =>
    logger.error(`the signing secret of subscription ${secrets.id} cannot be opened: ${reason}`),
  );
}
