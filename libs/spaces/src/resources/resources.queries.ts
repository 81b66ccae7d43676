import type { Db, Tx } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import type { Page, PageQuery } from '@tieline/platform/http';
import { IsNull } from 'typeorm';
import type { EntityTarget, FindOptionsOrder, FindOptionsWhere } from 'typeorm';
import { newestFirst } from './newest-first.js';

/** A row that admins create, list, change and delete. A deleted row stays, but is not found. */
export interface SpaceResource {
  spaceId: string;
  id: string;
  deletedAt: Date | null;
}

type Where<T> = FindOptionsWhere<T>;

/**
 * Returns one row of the space. @throws the error of `missing` (404) when it is unknown, deleted or
 * of another space
 */
export async function findResource<T extends SpaceResource>(
  { manager }: Pick<Db, 'manager'>,
  entity: EntityTarget<T>,
  { spaceId, id }: Pick<T, 'spaceId' | 'id'>,
  missing = notFound,
): Promise<T> {
  const row = await manager.findOneBy(entity, { spaceId, id, deletedAt: IsNull() } as Where<T>);
  if (!row) throw missing();
  return row;
}

/** Like {@link findResource}, with the row locked until the transaction ends. */
export async function lockResource<T extends SpaceResource>(
  { manager }: Tx,
  entity: EntityTarget<T>,
  { spaceId, id }: Pick<T, 'spaceId' | 'id'>,
  missing = notFound,
): Promise<T> {
  const row = await manager.findOne(entity, {
    where: { spaceId, id, deletedAt: IsNull() } as Where<T>,
    lock: { mode: 'for_no_key_update' },
  });
  if (!row) throw missing();
  return row;
}

/** Returns a page of the space's rows, newest first. @throws 400 for a bad cursor */
export function listResources<T extends SpaceResource>(
  { manager }: Db,
  entity: EntityTarget<T>,
  spaceId: string,
  page: PageQuery,
): Promise<Page<T>> {
  const order = { id: 'DESC' } as FindOptionsOrder<T>;
  return newestFirst(page, (before, take) =>
    manager.find(entity, { where: { ...before, spaceId, deletedAt: IsNull() } as Where<T>, order, take }),
  );
}
