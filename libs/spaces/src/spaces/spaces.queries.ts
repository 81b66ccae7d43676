import type { Db, Queryable, Tx } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import type { Page, PageQuery } from '@tieline/platform/http';
import { In } from 'typeorm';
import { newestFirst } from '../resources/newest-first.js';
import { Space } from './space.entity.js';
import type { Plan } from './space.js';
import { LOCK_SPACE, PLANS_OF } from './spaces.statements.js';

/** Returns the spaces of this installation, newest first. */
export function listSpaces(db: Db, page: PageQuery): Promise<Page<Space>> {
  return newestFirst(page, (before, take) =>
    db.manager.find(Space, { where: before, order: { id: 'DESC' }, take }),
  );
}

/** Returns one space. @throws 404 when it is unknown */
export async function findSpace(db: Db, id: string): Promise<Space> {
  const space = await db.manager.findOneBy(Space, { id });
  if (!space) throw notFound();
  return space;
}

/** Returns the names of these spaces by id; unknown ids are absent. */
export async function namesOfSpaces({ manager }: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await manager.find(Space, {
    select: { id: true, name: true },
    where: { id: In([...new Set(ids)]) },
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the plans of these spaces; unknown ids are absent. Caches must expire within 10 s. */
export async function plansOf(q: Queryable, spaceIds: readonly string[]): Promise<Map<string, Plan>> {
  const rows = await q.query(PLANS_OF, [spaceIds]);
  return new Map(rows.map(({ id, plan }) => [id, plan]));
}

/**
 * Takes the lock under which a space's people change, until the transaction ends. Hold it to count
 * owners. It does not block references to the space.
 */
export async function lockSpace(tx: Tx, spaceId: string): Promise<void> {
  await tx.query(LOCK_SPACE, [spaceId]);
}
