import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import type { ActingAdmin } from '@tieline/spaces';
import { App } from './app.entity.js';
import { lockApp } from './apps.queries.js';
import { UninstallApp } from './installations/uninstall-app.js';
import { recordAppChange } from './record-app-change.js';

/** Deletes apps. */
@Injectable()
export class DeleteApp {
  constructor(
    private readonly db: Db,
    private readonly uninstallApp: UninstallApp,
  ) {}

  /**
   * Deletes an app and uninstalls it in every space. It cannot be installed or authorized from
   * the commit on, and its tokens of people are refused.
   * @throws 404
   */
  async run({ spaceId, origin }: ActingAdmin, id: string): Promise<void> {
    await runInTx(
      this.db,
      async (tx) => {
        const app = await lockApp(tx, spaceId, id);
        const deletedAt = new Date();
        await tx.manager.update(App, { spaceId, id }, { deletedAt, updatedAt: deletedAt, isListed: false });
        await recordAppChange(tx, app, { action: 'app.deleted', origin });
      },
      { spaceId, place: id },
    );
    await this.uninstallApp.everywhere(id);
  }
}
