import type { Tx } from '@tieline/platform/database';
import { NOTE_REDELIVERY } from './delivery.statements.js';

/**
 * Notes in the log that a delivery was sent again as `laterId`, which the same transaction has planned (decisions, 11.3). The caller holds
 * the target's row lock.
 */
export async function noteRedelivery(tx: Tx, spaceId: string, id: string, laterId: string): Promise<void> {
  await tx.query(NOTE_REDELIVERY, [spaceId, id, laterId]);
}
