import type { Tx } from '@tieline/platform/database';
import { CLOSE_BREAKERS } from './results.statements.js';

/** Somebody says that a target works again: its deliveries go out at once, and its failures are counted from 0. */
export async function closeBreaker(tx: Tx, targetId: string): Promise<void> {
  await tx.query(CLOSE_BREAKERS, [[targetId]]);
}
