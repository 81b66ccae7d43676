import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { newSigningSecret } from '@tieline/signing';
import type { SecretBox } from '@tieline/signing';
import type { Origin } from '@tieline/spaces';
import { sealSecret } from './outgoing-secret.js';
import { OutgoingWebhook } from './outgoing-webhook.entity.js';
import { lockSubscription } from './outgoing-webhooks.queries.js';
import { recordSubscriptionChange } from './subscription-change.js';

/**
 * Gives a subscription a new signing secret, answered here and never again. Deliveries that are already planned keep the
 * `X-Service-Signature` of the old one (decisions, section 4); what is planned from now on is signed with the new one.
 * @throws 404
 */
export async function rotateOutgoingSecret(
  { db, box }: { db: Db; box: SecretBox },
  spaceId: string,
  id: string,
  origin: Origin,
): Promise<string> {
  const signingSecret = newSigningSecret();
  await runInTx(db, async (tx) => {
    const row = await lockSubscription(tx, spaceId, id);
    await tx.manager.update(
      OutgoingWebhook,
      { spaceId, id },
      { signingSecret: sealSecret(box, id, signingSecret), updatedAt: new Date() },
    );
    await recordSubscriptionChange(tx, row, 'outgoing_webhook.secret_rotated', origin);
  });
  return signingSecret;
}
