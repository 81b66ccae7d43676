import { Injectable } from '@nestjs/common';
import { EgressPolicy } from '@tieline/egress';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { changesOf } from '@tieline/platform/resource';
import type { ActingAdmin, Origin } from '@tieline/spaces';
import type { AppInput, AppSettings } from './app.js';
import { App } from './app.entity.js';
import { lockApp } from './apps.queries.js';
import { checkAppUrls } from './app-urls.js';
import { SuspendBots } from './installations/suspend-bots.js';
import { recordAppChange } from './record-app-change.js';

/** Changes apps. */
@Injectable()
export class UpdateApp {
  constructor(
    private readonly db: Db,
    private readonly egress: EgressPolicy,
    private readonly suspendBots: SuspendBots,
  ) {}

  /**
   * Changes an app. Undefined settings keep their values. Installations keep the scopes and the
   * addresses of their time; a new installation takes the new ones. While the app is not active,
   * its bots are disabled in every space.
   * @throws 404; 400 for an address that outgoing requests may not reach
   */
  async run({ spaceId, origin }: ActingAdmin, id: string, input: AppInput): Promise<App> {
    await checkAppUrls(this.egress, input);
    const [before, after] = await runInTx(
      this.db,
      async (tx) => {
        const app = await lockApp(tx, spaceId, id);
        return [app, await changeLockedApp(tx, app, input, origin)];
      },
      { spaceId, place: id },
    );
    if (after.isActive !== before.isActive) await this.suspendBots.everywhere(id);
    return after;
  }
}

/**
 * Writes the changed settings, with an entry in the audit log. The caller holds the app's row lock
 * and has checked the addresses.
 */
export async function changeLockedApp(tx: Tx, app: App, input: AppInput, origin: Origin): Promise<App> {
  const changed = changesOf<AppSettings>(app, input);
  if (Object.keys(changed).length === 0) return app;
  const { spaceId, id } = app;
  // An app that no longer wants to be listed needs the operator to be listed again.
  const isListed = app.isListed && (changed.distribution ?? app.distribution) === 'listed';
  const after: App = { ...app, ...changed, isListed, updatedAt: new Date() };
  await tx.manager.update(App, { spaceId, id }, { ...changed, isListed, updatedAt: after.updatedAt });
  await recordAppChange(tx, after, { action: 'app.updated', origin, before: app });
  return after;
}
