import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import { rotateSecret, SecretBox } from '@tieline/signing';
import type { RotatedSecret } from '@tieline/signing';
import { lockResource, recordChange } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { INCOMING_SECRET } from './incoming/admin/incoming-secret.js';
import { IncomingWebhook } from './incoming/admin/incoming-webhook.entity.js';
import { OUTGOING_SECRET } from './outgoing/subscriptions/outgoing-secret.js';
import { OutgoingWebhook } from './outgoing/subscriptions/outgoing-webhook.entity.js';

const KINDS = {
  incoming_webhook: { entity: IncomingWebhook, secret: INCOMING_SECRET },
  outgoing_webhook: { entity: OutgoingWebhook, secret: OUTGOING_SECRET },
} as const;

/** Replaces signing secrets of incoming webhooks and subscriptions. */
@Injectable()
export class RotateWebhookSecret {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
  ) {}

  /**
   * Replaces the signing secret and returns the new one, which cannot be read again later. The old
   * one stays valid for `overlapSeconds` after the commit. Deliveries already planned keep their
   * `X-Service-Signature` of the old secret.
   * @throws 404
   */
  async run(
    { spaceId, origin }: ActingAdmin,
    objectType: keyof typeof KINDS,
    id: string,
    overlapSeconds: number,
  ): Promise<RotatedSecret> {
    const { entity, secret } = KINDS[objectType];
    const { rotated, columns } = rotateSecret(secret.secretColumn, overlapSeconds);
    const signingSecret = secret.seal(this.box, id, rotated.signingSecret);
    await runInTx(
      this.db,
      async (tx) => {
        await lockResource<IncomingWebhook | OutgoingWebhook>(tx, entity, { spaceId, id });
        await tx.manager.update<IncomingWebhook | OutgoingWebhook>(
          entity,
          { spaceId, id },
          { ...columns, signingSecret },
        );
        const action = `${objectType}.secret_rotated`;
        await recordChange(tx, { spaceId, ...origin, action, objectType, objectId: id, changes: {} });
      },
      { spaceId, place: id },
    );
    return rotated;
  }
}
