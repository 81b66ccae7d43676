import { countDeadLetters } from '@tieline/delivery';
import type { SettledDelivery } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { raiseNotice } from '@tieline/spaces';
import { OutgoingWebhook } from '../subscriptions/outgoing-webhook.entity.js';
import {
  publishSubscription,
  recordSubscriptionChange,
  SYSTEM,
} from '../subscriptions/subscription-change.js';
import { killSubscriptionDeliveries } from './kill-subscription-deliveries.js';
import { COUNT_DEAD_LETTERS } from './outgoing-deliveries.statements.js';

/**
 * Counts the consecutive dead letters of subscriptions, inside the transaction that settles a batch, and switches off
 * those that reached the threshold (contract, "Other lifecycles").
 */
export async function disableFailing(
  tx: Tx,
  threshold: number,
  results: readonly SettledDelivery[],
): Promise<void> {
  for (const subject of await countDeadLetters(tx, COUNT_DEAD_LETTERS, threshold, results))
    await disable(tx, subject, threshold);
}

/** Admins get a notice, pending deliveries die, later events are not kept. The caller holds the subscription's row lock. */
async function disable(tx: Tx, subject: { spaceId: string; id: string }, threshold: number): Promise<void> {
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
