import type { Statement, Tx } from '@tieline/platform/database';
import { limitReached } from '../spaces.errors.js';
import type { Plan } from './space.entity.js';
import { plansOf } from './spaces.queries.js';
import { LOCK_KIND_OF_SPACE } from './spaces.statements.js';

/** Something of which a space may have only so many. */
export interface Capped {
  /** What people call it, in the plural: `bots`. */
  name: string;
  limits: Readonly<Record<Plan, number>>;
  /** How many the space $1 has. */
  count: Statement<{ count: 'int8' }>;
}

/**
 * Lets one more be made, in the transaction that makes it (decisions, 11.1). Creations of one kind
 * in one space go one after the other from here to the end of the transaction, so that no two take
 * the last place.
 * @throws 409 `limit_reached` when the space has as many as its plan allows
 */
export async function requireRoom(tx: Tx, spaceId: string, { name, limits, count }: Capped): Promise<void> {
  await tx.query(LOCK_KIND_OF_SPACE, [name, spaceId]);
  const [row] = await tx.query(count, [spaceId]);
  const plan = (await plansOf(tx, [spaceId])).get(spaceId);
  if (row && plan && row.count >= limits[plan]) throw limitReached(name, limits[plan]);
}
