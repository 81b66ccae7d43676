import { endedAmong } from '@tieline/delivery';
import { unprepared } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { FINISH_RECOVERED, DELETE_RECOVERED, LIST_RECOVERED } from './recoveries.statements.js';
import { Recovery } from './recovery.entity.js';

/** Progress of a recovery. */
export interface Progress {
  recovery: Recovery;
  /** Unfinished deliveries. */
  open: string[];
  /** Number of deliveries finished since the last count. */
  ended: number;
}

/** Counts the finished deliveries of a recovery. The caller holds its row lock. */
export async function countEnded(tx: Tx, recovery: Recovery): Promise<Progress> {
  const { spaceId, id } = recovery;
  const rows = await tx.query(unprepared(LIST_RECOVERED), [spaceId, id]);
  const handed = rows.map(({ deliveryId }) => deliveryId);
  const ended = await endedAmong(tx, spaceId, handed);
  const open = handed.filter((deliveryId) => !ended.has(deliveryId));
  if (ended.size === 0) return { recovery, open, ended: 0 };
  await tx.query(FINISH_RECOVERED, [spaceId, id, [...ended.keys()]]);
  const succeeded = recovery.succeeded + [...ended.values()].filter(Boolean).length;
  const done = recovery.done + ended.size;
  const counts = { done, succeeded, failed: recovery.failed + recovery.succeeded + ended.size - succeeded };
  await tx.manager.update(Recovery, { spaceId, id }, counts);
  return { recovery: { ...recovery, ...counts }, open, ended: ended.size };
}

/**
 * Deletes the record of a recovery's events. Call it once the recovery is over and has no
 * unfinished deliveries.
 */
export async function deleteRecoveredEvents(tx: Tx, { spaceId, id }: Recovery): Promise<void> {
  await tx.query(DELETE_RECOVERED, [spaceId, id]);
}
