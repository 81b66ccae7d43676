import { pushHeaders } from '@tieline/bots';
import { noteRedelivery, planDeliveries } from '@tieline/delivery';
import type { DeliveryDetail } from '@tieline/delivery';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import { bytesGone, noEventUrl } from '../apps.errors.js';
import { lockApp } from '../apps.queries.js';
import { APP_DELIVERY } from './app-delivery-name.js';

/**
 * Sends a delivery to an app again: with a new delivery id, the same event id and body, and the
 * current address and secret (docs/apps.md#events).
 * @returns the new delivery's id
 * @throws 404 if the app is deleted. 409 without an `event_url`, or if the body has been deleted
 * after its retention.
 */
export async function redeliverAppEvent(
  db: Db,
  spaceId: string,
  delivery: DeliveryDetail,
  origin: Origin,
): Promise<string> {
  const { body, eventId, eventType, targetId } = delivery;
  if (body === null) throw bytesGone();
  return runInTx(
    db,
    async (tx) => {
      const app = await lockApp(tx, spaceId, targetId);
      if (app.eventUrl === '') throw noEventUrl();
      // Copies the body, because the partition of the original is dropped at the end of its
      // retention.
      const payload = { id: uuidv7(), spaceId, body };
      const id = uuidv7();
      const sent = { id, spaceId, kind: APP_DELIVERY, targetId, eventId, eventType };
      await planDeliveries(
        tx,
        [payload],
        [{ ...sent, payloadId: payload.id, headers: pushHeaders(), retryProfile: 'extended' }],
      );
      await noteRedelivery(tx, spaceId, delivery.id, id);
      await recordChange(tx, {
        ...origin,
        spaceId,
        action: 'app.redelivered',
        objectType: 'app',
        objectId: targetId,
        changes: { delivery_id: { from: delivery.id, to: id } },
      });
      return id;
    },
    { spaceId, place: targetId },
  );
}
