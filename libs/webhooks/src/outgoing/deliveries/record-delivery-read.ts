import type { DeliveryDetail } from '@tieline/delivery';
import type { Db } from '@tieline/platform/database';
import { recordReading } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';

/** A delivery whose request, body and responses were read. */
export interface DeliveryRead {
  spaceId: string;
  origin: Origin;
  delivery: Pick<DeliveryDetail, 'id' | 'targetId'>;
}

/**
 * Records in the audit log who read deliveries of a subscription or bot. Writes one entry per hour
 * and names the first delivery read.
 */
export async function recordDeliveryRead(
  db: Db,
  action:
    | 'outgoing_webhook.deliveries_read'
    | 'outgoing_webhook.deliveries_read_by_link'
    | 'bot.deliveries_read'
    | 'app.deliveries_read',
  { spaceId, origin, delivery }: DeliveryRead,
): Promise<void> {
  const [objectType = ''] = action.split('.');
  const subject = { spaceId, objectType, objectId: delivery.targetId };
  const changes = { delivery_id: { from: null, to: delivery.id } };
  await recordReading(db, { ...origin, ...subject, action, changes });
}
