import type { Tx } from '@tieline/platform/database';
import { killPending } from '@tieline/delivery';
import { OUTGOING } from './outgoing-kind-name.js';

/** Decisions, section 4: the error of deliveries whose subscription was switched off or deleted while they were pending. */
const SUBSCRIPTION_INACTIVE = 'subscription inactive';

/** Ends every pending delivery of a subscription. The caller holds the subscription's row lock. */
export async function killSubscriptionDeliveries(tx: Tx, { id }: { id: string }): Promise<void> {
  await killPending(tx, { kind: OUTGOING, targetId: id, error: SUBSCRIPTION_INACTIVE });
}
