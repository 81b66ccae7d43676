import type { Tx } from '@tieline/platform/database';
import { raiseNotice } from '@tieline/spaces';
import { killSubscriptionDeliveries } from './kill-subscription-deliveries.js';
import { OutgoingWebhook } from '../subscriptions/outgoing-webhook.entity.js';
import {
  publishSubscription,
  recordSubscriptionChange,
  SYSTEM,
} from '../subscriptions/subscription-change.js';

/**
 * Switches a subscription off that has failed too often in a row: admins get a notice, what is pending dies, and what
 * happens from now on is not kept for it. The caller holds the subscription's row lock.
 */
export async function autoDisable(
  tx: Tx,
  subject: { spaceId: string; id: string },
  threshold: number,
): Promise<void> {
  const { spaceId, id } = subject;
  const { name } = await tx.manager.findOneByOrFail(OutgoingWebhook, { spaceId, id });
  await tx.manager.update(OutgoingWebhook, { spaceId, id }, { status: 'inactive', updatedAt: new Date() });
  await recordSubscriptionChange(tx, subject, 'outgoing_webhook.auto_disabled', SYSTEM, {
    before: { status: 'active' },
    after: { status: 'inactive' },
  });
  await publishSubscription(tx, subject, null);
  await killSubscriptionDeliveries(tx, subject);
  await raiseNotice(tx, {
    spaceId,
    kind: 'outgoing_webhook.auto_disabled',
    objectType: 'outgoing_webhook',
    objectId: id,
    text: `Outgoing webhook "${name}" was switched off after ${threshold} consecutive failed deliveries. Set it to active again when its receiver works.`,
  });
}
