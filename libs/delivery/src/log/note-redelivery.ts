import type { Tx } from '@tieline/platform/database';
import { NOTE_REDELIVERY } from './delivery.statements.js';

/** A delivery that was sent again, and as what. */
export interface Redelivery {
  id: string;
  laterId: string;
}

/**
 * Notes in the log that deliveries were sent again, which the same transaction has planned
 * (decisions, 11.3). The caller holds the row lock of the target that they were first sent to.
 */
export async function noteRedeliveries(
  tx: Tx,
  spaceId: string,
  redeliveries: readonly Redelivery[],
): Promise<void> {
  const columns = [redeliveries.map(({ id }) => id), redeliveries.map(({ laterId }) => laterId)];
  await tx.query(NOTE_REDELIVERY, [spaceId, ...columns]);
}

/** The same of one. */
export function noteRedelivery(tx: Tx, spaceId: string, id: string, laterId: string): Promise<void> {
  return noteRedeliveries(tx, spaceId, [{ id, laterId }]);
}
