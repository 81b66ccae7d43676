import { endedAmong } from '@tieline/delivery';
import { unprepared } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { END_RECOVERED, FORGET_RECOVERED, LIST_RECOVERED } from './recoveries.statements.js';
import { Recovery } from './recovery.entity.js';

/** What a recovery has come to. */
export interface Progress {
  recovery: Recovery;
  /** Its deliveries that have not ended. */
  open: string[];
  /** How many have ended since the last look. */
  ended: number;
}

/** Counts what has ended of what a recovery handed over. The caller holds its row lock. */
export async function countEnded(tx: Tx, recovery: Recovery): Promise<Progress> {
  const { spaceId, id } = recovery;
  const rows = await tx.query(unprepared(LIST_RECOVERED), [spaceId, id]);
  const handed = rows.map(({ deliveryId }) => deliveryId);
  const ended = await endedAmong(tx, spaceId, handed);
  const open = handed.filter((deliveryId) => !ended.has(deliveryId));
  if (ended.size === 0) return { recovery, open, ended: 0 };
  await tx.query(END_RECOVERED, [spaceId, id, [...ended.keys()]]);
  const succeeded = recovery.succeeded + [...ended.values()].filter(Boolean).length;
  const done = recovery.done + ended.size;
  const counts = { done, succeeded, failed: recovery.failed + recovery.succeeded + ended.size - succeeded };
  await tx.manager.update(Recovery, { spaceId, id }, counts);
  return { recovery: { ...recovery, ...counts }, open, ended: ended.size };
}

/** Forgets which events a recovery has had, once it is over and nothing of it is on its way. */
export async function forgetEvents(tx: Tx, { spaceId, id }: Recovery): Promise<void> {
  await tx.query(FORGET_RECOVERED, [spaceId, id]);
}
