import type { Db, Tx } from '@tieline/platform/database';
import { IsNull, Not } from 'typeorm';
import type { EntityTarget } from 'typeorm';

/**
 * A row of a kind's targets, by which {@link countDeadLetters} marks those that reached the
 * threshold.
 */
export interface ExhaustibleTarget {
  spaceId: string;
  id: string;
  /**
   * When the threshold was reached; null again when what follows is done, or when somebody
   * activated it again.
   */
  exhaustedAt?: Date | null;
}

/** Who a target is. */
export type TargetKey = Pick<ExhaustibleTarget, 'spaceId' | 'id'>;

/** What follows when a target of a kind reached the threshold of consecutive dead letters. */
export interface Exhaustion {
  /** The entity of the targets. */
  entity: new () => ExhaustibleTarget;
  /** The error of the deliveries that were pending. */
  error: string;
  /**
   * Switches the target off, with notice, audit entry and event; nothing when it is off already.
   * The caller's transaction holds the target's row lock.
   */
  switchOff(tx: Tx, target: TargetKey): Promise<void>;
}

const BATCH = 100;

const rows = ({ entity }: Exhaustion): EntityTarget<ExhaustibleTarget> => entity;

/** The targets that are marked, those marked first in front. */
export async function markedTargets(db: Db, exhaustion: Exhaustion): Promise<TargetKey[]> {
  const found = await db.manager.find(rows(exhaustion), {
    select: { spaceId: true, id: true },
    where: { exhaustedAt: Not(IsNull()) },
    order: { exhaustedAt: 'ASC' },
    take: BATCH,
  });
  return found.map(({ spaceId, id }) => ({ spaceId, id }));
}

/**
 * Locks the target's row. @returns false when it is no longer marked: it was activated again, or
 * somebody else has finished
 */
export async function lockMarked(
  tx: Tx,
  exhaustion: Exhaustion,
  { spaceId, id }: TargetKey,
): Promise<boolean> {
  const row = await tx.manager.findOne(rows(exhaustion), {
    select: { spaceId: true, id: true },
    where: { spaceId, id, exhaustedAt: Not(IsNull()) },
    lock: { mode: 'for_no_key_update' },
  });
  return row !== null;
}

/** Everything that follows is done. The caller holds the row's lock. */
export async function unmark(tx: Tx, exhaustion: Exhaustion, { spaceId, id }: TargetKey): Promise<void> {
  await tx.manager.update(rows(exhaustion), { spaceId, id }, { exhaustedAt: null });
}
