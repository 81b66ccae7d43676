import { Injectable } from '@nestjs/common';
import { AppBots } from '@tieline/bots';
import { signalAccessChange } from '@tieline/live';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { BY_SYSTEM } from '@tieline/spaces';
import { IsNull, MoreThan } from 'typeorm';
import { App } from '../app.entity.js';
import { Installation } from './installation.entity.js';

const STEP = 100;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Disables the bots of apps that are not active, and enables them again with the app. */
@Injectable()
export class SuspendBots {
  constructor(
    private readonly db: Db,
    private readonly bots: AppBots,
  ) {}

  /** Makes every installation of an app follow its `is_active`, in one transaction per space. */
  async everywhere(appId: string): Promise<void> {
    let last = BEFORE_ALL;
    for (let found = STEP; found === STEP;) {
      const installations = await this.db.manager.find(Installation, {
        select: { spaceId: true, id: true },
        where: { appId, deletedAt: IsNull(), id: MoreThan(last) },
        order: { id: 'ASC' },
        take: STEP,
      });
      for (const { spaceId, id } of installations) {
        await this.run(spaceId, id);
        last = id;
      }
      found = installations.length;
    }
  }

  /** Makes one installation follow the `is_active` of its app. */
  run(spaceId: string, id: string): Promise<void> {
    return runInTx(this.db, (tx) => this.in(tx, spaceId, id), { spaceId, place: id });
  }

  private async in(tx: Tx, spaceId: string, id: string): Promise<void> {
    const installation = await tx.manager.findOne(Installation, {
      where: { spaceId, id, deletedAt: IsNull() },
      lock: { mode: 'for_no_key_update' },
    });
    const { appId, appSpaceId, botId } = installation ?? {};
    if (!appId || !appSpaceId) return;
    // The setting cannot change before this transaction ends, so that the latest value wins.
    const app = await tx.manager.findOne(App, {
      select: { spaceId: true, id: true, isActive: true },
      where: { spaceId: appSpaceId, id: appId },
      lock: { mode: 'pessimistic_read' },
    });
    if (!app) return;
    // Streams that people opened with tokens of the app end.
    await signalAccessChange(tx, spaceId);
    if (botId) await this.bots.suspend(tx, { spaceId, botId, origin: BY_SYSTEM }, !app.isActive);
  }
}
