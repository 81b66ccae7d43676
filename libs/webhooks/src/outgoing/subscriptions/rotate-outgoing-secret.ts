import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { newSigningSecret, overlapping } from '@tieline/signing';
import type { SecretBox } from '@tieline/signing';
import type { Origin } from '@tieline/spaces';
import { sealSecret } from './outgoing-secret.js';
import { OutgoingWebhook } from './outgoing-webhook.entity.js';
import { lockSubscription } from './outgoing-webhooks.queries.js';
import { recordSubscriptionChange } from './subscription-change.js';

/** The new secret, and how long the previous one also signs. Null: not at all. */
export interface RotatedSecret {
  signingSecret: string;
  previousExpiresAt: Date | null;
}

/**
 * Replaces a subscription's signing secret and returns the new one, which cannot be read again
 * later. Deliveries already planned keep their `X-Service-Signature` of the old secret. New ones
 * are signed with the new secret, and for `overlapSeconds` also with the old one.
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
