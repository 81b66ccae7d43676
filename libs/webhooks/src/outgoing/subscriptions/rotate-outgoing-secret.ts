import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { newSigningSecret, overlapping } from '@tieline/signing';
import type { SecretBox } from '@tieline/signing';
import type { Origin } from '@tieline/spaces';
import { sealSecret } from './outgoing-secret.js';
import { OutgoingWebhook } from './outgoing-webhook.entity.js';
import { lockSubscription } from './outgoing-webhooks.queries.js';
import { recordSubscriptionChange } from './subscription-change.js';

/** The new secret, and until when the one before it signs as well; null: not at all. */
export interface RotatedSecret {
  signingSecret: string;
  previousExpiresAt: Date | null;
}

/**
 * Gives a subscription a new signing secret, answered here and never again. Deliveries that are
 * already planned keep the `X-Service-Signature` of the old one (decisions, section 4); what is
 * planned from now on is signed with the new one, and for `overlapSeconds` by the old one as well
 * (section 11.3).
 * @throws 404
 */
export async function rotateOutgoingSecret(
  { db, box }: { db: Db; box: SecretBox },
  spaceId: string,
  id: string,
  { origin, overlapSeconds }: { origin: Origin; overlapSeconds: number },
): Promise<RotatedSecret> {
  const signingSecret = newSigningSecret();
  const now = new Date();
  const previous = overlapping('signing_secret', overlapSeconds, now);
  await runInTx(
    db,
    async (tx) => {
      const row = await lockSubscription(tx, spaceId, id);
      await tx.manager.update(
        OutgoingWebhook,
        { spaceId, id },
        { ...previous, signingSecret: sealSecret(box, id, signingSecret), updatedAt: now },
      );
      await recordSubscriptionChange(tx, row, 'outgoing_webhook.secret_rotated', origin);
    },
    { spaceId, place: id },
  );
  return { signingSecret, previousExpiresAt: previous.previousSecretExpiresAt };
}
