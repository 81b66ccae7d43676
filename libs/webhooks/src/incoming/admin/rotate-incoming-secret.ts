import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { newSigningSecret, overlapping } from '@tieline/signing';
import type { SecretBox } from '@tieline/signing';
import type { Origin } from '@tieline/spaces';
import { recordIncomingChange } from './incoming-change.js';
import { sealIncomingSecret } from './incoming-secret.js';
import { IncomingWebhook } from './incoming-webhook.entity.js';
import { lockIncomingWebhook } from './incoming-webhooks.queries.js';

/** The new secret, and when the previous one stops being accepted. Null: immediately. */
export interface RotatedIncomingSecret {
  signingSecret: string;
  previousExpiresAt: Date | null;
}

/**
 * Replaces a webhook's signing secret and returns the new one, which cannot be read again later.
 * The old secret is rejected as soon as the transaction commits, or after `overlapSeconds`. @throws
 * 404
 */
export async function rotateIncomingSecret(
  { db, box }: { db: Db; box: SecretBox },
  spaceId: string,
  id: string,
  { origin, overlapSeconds }: { origin: Origin; overlapSeconds: number },
): Promise<RotatedIncomingSecret> {
  const signingSecret = newSigningSecret();
  const now = new Date();
  const previous = overlapping('signing_secret', overlapSeconds, now);
  await runInTx(
    db,
    async (tx) => {
      const row = await lockIncomingWebhook(tx, spaceId, id);
      await tx.manager.update(
        IncomingWebhook,
        { spaceId, id },
        { ...previous, signingSecret: sealIncomingSecret(box, id, signingSecret), updatedAt: now },
      );
      await recordIncomingChange(tx, row, 'incoming_webhook.secret_rotated', origin);
    },
    { spaceId, place: id },
  );
  return { signingSecret, previousExpiresAt: previous.previousSecretExpiresAt };
}
