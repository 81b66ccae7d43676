import type { TargetKey } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { raiseNotice } from '@tieline/spaces';
import { IsNull } from 'typeorm';
import { OutgoingWebhook } from '../subscriptions/outgoing-webhook.entity.js';

/**
 * Notifies admins that a subscription's receiver has been failing for 15 minutes. Does nothing if
 * the subscription is inactive.
 */
export async function notifyUnreachable(tx: Tx, { spaceId, id }: TargetKey): Promise<void> {
  const found = await tx.manager.findOneBy(OutgoingWebhook, { spaceId, id, deletedAt: IsNull() });
  if (found?.status !== 'active') return;
  await raiseNotice(tx, {
    spaceId,
    kind: 'outgoing_webhook.unreachable',
    objectType: 'outgoing_webhook',
    objectId: id,
    text: `The receiver of outgoing webhook "${found.name}" has been failing for 15 minutes. Deliveries are held for up to ${found.retryProfile === 'extended' ? 72 : 24} hours and sent as soon as a trial delivery succeeds.`,
  });
}
