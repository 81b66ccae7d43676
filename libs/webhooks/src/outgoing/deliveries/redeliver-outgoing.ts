import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import { noteRedelivery, planDeliveries } from '@tieline/delivery';
import type { DeliveryDetail } from '@tieline/delivery';
import { SecretBox } from '@tieline/signing';
import { IsNull } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { TEST_EVENT_TYPE } from '../planning/event-types.js';
import { OUTGOING } from './outgoing-kind-name.js';
import { OutgoingWebhook } from '../subscriptions/outgoing-webhook.entity.js';
import { bytesGone, subscriptionInactive } from '../outgoing-webhooks.errors.js';
import { recordSending } from '../subscriptions/subscription-change.js';
import type { SendingOrigin } from '../subscriptions/subscription-change.js';
import { readLiveSecrets } from './read-live-secrets.js';
import { fixedHeaders, unixSeconds } from '../planning/sign-delivery.js';

/** Sends deliveries of outgoing webhooks again. */
@Injectable()
export class RedeliverOutgoing {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
  ) {}

  /**
   * Sends a delivery again with a new delivery id, the same event id and body, a new timestamp, the
   * current secret and the usual retries. A repeated test delivery still changes no failure
   * counter.
   * @returns the new delivery's id
   * @throws 409 when the subscription is inactive or deleted, or the body is no longer stored
   */
  async run(spaceId: string, delivery: DeliveryDetail, by: SendingOrigin): Promise<string> {
    const { body, eventId, eventType, targetId } = delivery;
    if (body === null) throw bytesGone();
    return runInTx(
      this.db,
      async (tx) => {
        const lock = { mode: 'for_no_key_update' } as const;
        const row = await tx.manager.findOne(OutgoingWebhook, {
          where: { spaceId, id: targetId, status: 'active', deletedAt: IsNull() },
          lock,
        });
        if (!row) throw subscriptionInactive();
        const secrets = await readLiveSecrets(tx, this.box, targetId);
        const id = uuidv7();
        // Copy the body, because the old row is deleted when its retention ends.
        const payload = { id: uuidv7(), spaceId, body };
        const headers = fixedHeaders({ deliveryId: id, eventType, timestamp: unixSeconds(), secrets, body });
        const counts = eventType !== TEST_EVENT_TYPE;
        await planDeliveries(
          tx,
          [payload],
          [
            {
              ...{
                id,
                spaceId,
                kind: OUTGOING,
                targetId,
                eventId,
                eventType,
                payloadId: payload.id,
                headers,
              },
              counts,
              retryProfile: row.retryProfile,
            },
          ],
        );
        await noteRedelivery(tx, spaceId, delivery.id, id);
        await recordSending(tx, row, 'redelivered', by, { from: delivery.id, to: id });
        return id;
      },
      { spaceId, place: targetId },
    );
  }
}
