import { subjectsOf } from '../lanes/planned-targets.js';
import { DELIVERIES } from '../plan-deliveries.js';
import type { Tx } from '@tieline/platform/database';
import { CLOSE_BREAKERS } from './results.statements.js';

/**
 * Closes a target's breaker and resets its failures. Waiting deliveries are sent after the commit.
 */
export async function closeBreaker(tx: Tx, target: { spaceId: string; targetId: string }): Promise<void> {
  await tx.query(CLOSE_BREAKERS, [[target.targetId]]);
  for (const subject of subjectsOf([target])) tx.signal(DELIVERIES, subject);
}
