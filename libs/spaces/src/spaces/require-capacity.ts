import type { Statement, Tx } from '@tieline/platform/database';
import { limitReached } from '../spaces.errors.js';
import type { Plan } from './space.js';
import { plansOf } from './spaces.queries.js';
import { LOCK_KIND_OF_SPACE } from './spaces.statements.js';

/** A kind of object that a space may have a limited number of. */
export interface PlanLimit {
  /** Its plural for people: `bots`. */
  name: string;
  limits: Readonly<Record<Plan, number>>;
  /** Counts those of the space $1. */
  count: Statement<{ count: 'int8' }>;
}

/**
 * Checks that the plan allows one more, in the transaction that creates it
 * (docs/errors.md#limits-of-a-space). Creations of one kind in one space run one after the other
 * from here to the end of the transaction, so that no two take the last place.
 * @throws 409 `limit_reached` when the space has as many as its plan allows
 */
export async function requireCapacity(
  tx: Tx,
  spaceId: string,
  { name, limits, count }: PlanLimit,
): Promise<void> {
  await tx.query(LOCK_KIND_OF_SPACE, [name, spaceId]);
  const [row] = await tx.query(count, [spaceId]);
  const plan = (await plansOf(tx, [spaceId])).get(spaceId);
  if (row && plan && row.count >= limits[plan]) throw limitReached(name, limits[plan]);
}
