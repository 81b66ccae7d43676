import { subjectsOf } from '../lanes/planned-targets.js';
import { DELIVERIES } from '../plan-deliveries.js';
import type { Tx } from '@tieline/platform/database';
import { CLOSE_BREAKERS } from './results.statements.js';

/**
 * Closes a target's breaker because somebody says that it works again. What waited is sent after
 * the commit; failures count from 0.
 */
export async function closeBreaker(tx: Tx, target: { spaceId: string; targetId: string }): Promise<void> {
  await tx.query(CLOSE_BREAKERS, [[target.targetId]]);
  for (const subject of subjectsOf([target])) tx.signal(DELIVERIES, subject);
}
