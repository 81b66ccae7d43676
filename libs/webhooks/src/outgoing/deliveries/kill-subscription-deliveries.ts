import type { Tx } from '@tieline/platform/database';
import { killPending } from '@tieline/delivery';
import { OUTGOING, SUBSCRIPTION_INACTIVE } from './outgoing-kind-name.js';

/**
 * Closes every pending delivery of a subscription as dead. The caller holds the subscription's row
 * lock.
 */
export async function killSubscriptionDeliveries(tx: Tx, { id }: { id: string }): Promise<void> {
  await killPending(tx, { kind: OUTGOING, targetId: id, error: SUBSCRIPTION_INACTIVE });
}
