import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { newSigningSecret } from '@tieline/signing';
import type { SecretBox } from '@tieline/signing';
import type { Origin } from '@tieline/spaces';
import { recordIncomingChange } from './incoming-change.js';
import { sealIncomingSecret } from './incoming-secret.js';
import { IncomingWebhook } from './incoming-webhook.entity.js';
import { lockIncomingWebhook } from './incoming-webhooks.queries.js';

/** Gives a webhook a new signing secret, answered here and never again; signatures of the old one are 401 from the commit on. @throws 404 */
export async function rotateIncomingSecret(
  { db, box }: { db: Db; box: SecretBox },
  spaceId: string,
  id: string,
  origin: Origin,
): Promise<string> {
  const signingSecret = newSigningSecret();
  await runInTx(db, async (tx) => {
    const row = await lockIncomingWebhook(tx, spaceId, id);
    await tx.manager.update(
      IncomingWebhook,
      { spaceId, id },
      { signingSecret: sealIncomingSecret(box, id, signingSecret), updatedAt: new Date() },
    );
    await recordIncomingChange(tx, row, 'incoming_webhook.secret_rotated', origin);
  });
  return signingSecret;
}
