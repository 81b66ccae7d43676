import type { Db, DueCheck, Tx } from '@tieline/platform/database';
import { statement } from '@tieline/platform/database';
import { IsNull, Not } from 'typeorm';
import type { EntityTarget } from 'typeorm';

/** A target's row. {@link countDeadLetters} marks those that reached the threshold. */
interface ExhaustibleTarget {
  spaceId: string;
  id: string;
  /**
   * When the threshold was reached. Null again after the target was disabled, or enabled again.
   */
  exhaustedAt?: Date | null;
}

/** Identifies a target. */
export type TargetKey = Pick<ExhaustibleTarget, 'spaceId' | 'id'>;

/** What to do when a target of a kind reaches the threshold of consecutive dead letters. */
export interface Exhaustion {
  /** The entity of the targets. */
  entity: new () => ExhaustibleTarget;
  /** The error of its pending deliveries. */
  error: string;
  /**
   * Switches the target off, with notice, audit entry and event. Does nothing if it is already off.
   * The caller holds the row lock of the target.
   */
  switchOff(tx: Tx, target: TargetKey): Promise<void>;
}

const BATCH = 100;

const rows = ({ entity }: Exhaustion): EntityTarget<ExhaustibleTarget> => entity;

/** Returns the check for marked targets of any of these kinds. */
export function markedTargetsCheck(db: Db, exhaustions: readonly Exhaustion[]): DueCheck {
  const parts = exhaustions.map((exhaustion) => {
    const { tablePath } = db.dataSource.getMetadata(rows(exhaustion));
    return `EXISTS (SELECT 1 FROM ${tablePath} WHERE exhausted_at IS NOT NULL)`;
  });
  const text = `SELECT ${parts.join(' OR ') || 'false'} AS due`;
  return { statement: statement('targets.check_marked', text, { due: 'bool' }) };
}

/** Returns the marked targets, oldest mark first. */
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
 * Locks the target's row.
 * @returns false if it is no longer marked: it was enabled again, or another run has finished
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

/** Removes the mark. The caller holds the row lock. */
export async function unmark(tx: Tx, exhaustion: Exhaustion, { spaceId, id }: TargetKey): Promise<void> {
  await tx.manager.update(rows(exhaustion), { spaceId, id }, { exhaustedAt: null });
}
