import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { Origin } from '@tieline/spaces';
import { IsNull } from 'typeorm';
import { App } from './app.entity.js';
import { appNotFound } from './apps.errors.js';
import { recordAppChange } from './record-app-change.js';

/**
 * Puts an app into the directory of every space, or takes it out. Installations stay.
 * @throws 404 unless the app wants to be listed
 */
export function listApp(db: Db, id: string, isListed: boolean, origin: Origin): Promise<App> {
  const work = async (tx: Tx): Promise<App> => {
    const app = await tx.manager.findOne(App, {
      where: { id, distribution: 'listed', deletedAt: IsNull() },
      lock: { mode: 'for_no_key_update' },
    });
    if (!app) throw appNotFound();
    if (app.isListed === isListed) return app;
    const after: App = { ...app, isListed, updatedAt: new Date() };
    await tx.manager.update(App, { spaceId: app.spaceId, id }, { isListed, updatedAt: after.updatedAt });
    await recordAppChange(tx, after, { action: 'app.listed', origin, before: app });
    return after;
  };
  return runInTx(db, work, { spaceId: 'operator', place: id });
}
