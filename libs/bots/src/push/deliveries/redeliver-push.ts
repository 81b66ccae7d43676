import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { noteRedelivery, planDeliveries } from '@tieline/delivery';
import type { DeliveryDetail } from '@tieline/delivery';
import { recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import { IsNull } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { Bot } from '../../accounts/bot.entity.js';
import { bytesGone, notPushed } from '../../bots.errors.js';
import { pushHeaders } from '../plan-pushes.js';
import { PUSH } from '../push-kind-name.js';

/**
 * Sends a delivery again: with a new delivery id, the same event id and body, the current secret,
 * and ordinary retries (docs/push.md#delivery-log).
 * @returns the new delivery's id.
 * @throws 409 if the bot is not in mode `webhook`, disabled or deleted, or if the body has been
 * deleted after its retention.
 */
export async function redeliverPush(
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
      const where = {
        spaceId,
        id: targetId,
        isActive: true,
        eventDeliveryMode: 'webhook' as const,
        deletedAt: IsNull(),
      };
      const bot = await tx.manager.findOne(Bot, { where, lock: { mode: 'for_no_key_update' } });
      if (!bot) throw notPushed();
      // Copies the body, because the partition of the original is dropped at the end of its
      // retention.
      const payload = { id: uuidv7(), spaceId, body };
      const id = uuidv7();
      await planDeliveries(
        tx,
        [payload],
        [
          {
            id,
            spaceId,
            kind: PUSH,
            targetId,
            eventId,
            eventType,
            payloadId: payload.id,
            headers: pushHeaders(),
            retryProfile: bot.retryProfile,
          },
        ],
      );
      await noteRedelivery(tx, spaceId, delivery.id, id);
      const subject = { spaceId, objectType: 'bot', objectId: targetId };
      const changes = { delivery_id: { from: delivery.id, to: id } };
      await recordChange(tx, { ...origin, ...subject, action: 'bot.redelivered', changes });
      return id;
    },
    { spaceId, place: targetId },
  );
}
