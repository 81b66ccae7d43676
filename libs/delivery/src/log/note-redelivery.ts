import type { Tx } from '@tieline/platform/database';
import { NOTE_REDELIVERY } from './delivery.statements.js';

/** A delivery and its redelivery. */
export interface Redelivery {
  id: string;
  laterId: string;
}

/**
 * Records in the log that deliveries were sent again, in the transaction that planned the
 * redeliveries. The caller holds the row lock of the original target.
 */
export async function noteRedeliveries(
  tx: Tx,
  spaceId: string,
  redeliveries: readonly Redelivery[],
): Promise<void> {
  const columns = [redeliveries.map(({ id }) => id), redeliveries.map(({ laterId }) => laterId)];
  await tx.query(NOTE_REDELIVERY, [spaceId, ...columns]);
}

/** Records one redelivery. */
export function noteRedelivery(tx: Tx, spaceId: string, id: string, laterId: string): Promise<void> {
  return noteRedeliveries(tx, spaceId, [{ id, laterId }]);
}
