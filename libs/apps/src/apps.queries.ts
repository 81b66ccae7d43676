import type { Db, Tx } from '@tieline/platform/database';
import type { Page, PageQuery } from '@tieline/platform/http';
import { findResource, listResources, lockResource, newestFirst } from '@tieline/spaces';
import { IsNull } from 'typeorm';
import { App } from './app.entity.js';
import { appNotFound } from './apps.errors.js';

/** Returns an app of the space. @throws 404 */
export function findApp(db: Pick<Db, 'manager'>, spaceId: string, id: string): Promise<App> {
  return findResource(db, App, { spaceId, id }, appNotFound);
}

/** Like {@link findApp}, and locks the row until the transaction ends. */
export function lockApp(tx: Tx, spaceId: string, id: string): Promise<App> {
  return lockResource(tx, App, { spaceId, id }, appNotFound);
}

/** Lists the apps of a space, newest first. @throws 400 for a bad cursor */
export function listApps(db: Db, spaceId: string, page: PageQuery): Promise<Page<App>> {
  return listResources(db, App, spaceId, page);
}

/**
 * Lists the apps of all spaces that want to be listed, newest first. @throws 400 for a bad cursor
 */
export function listAppsToList({ manager }: Db, page: PageQuery): Promise<Page<App>> {
  return newestFirst(page, (before, take) =>
    manager.find(App, {
      where: { ...before, distribution: 'listed', deletedAt: IsNull() },
      order: { id: 'DESC' },
      take,
    }),
  );
}

/** Returns the active app with this client id, if there is one. */
export function findClient({ manager }: Pick<Db, 'manager'>, clientId: string): Promise<App | null> {
  return manager.findOneBy(App, { clientId, isActive: true, deletedAt: IsNull() });
}
