import { Injectable } from '@nestjs/common';
import { AppBots } from '@tieline/bots';
import { signalAccessChange } from '@tieline/live';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { ApiError } from '@tieline/platform/http';
import { BY_SYSTEM, recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import { IsNull } from 'typeorm';
import { DROP_AUTHORIZATIONS_OF_INSTALLATION } from '../authorizations/authorizations.statements.js';
import { appendAppEvent } from '../events/append-app-event.js';
import { Installation } from './installation.entity.js';
import { lockInstallation } from './installations.queries.js';

const STEP = 100;

/** Uninstalls apps. */
@Injectable()
export class UninstallApp {
  constructor(
    private readonly db: Db,
    private readonly bots: AppBots,
  ) {}

  /**
   * Uninstalls an app from a space: its bot is deactivated, its tokens are revoked, its commands
   * and buttons stop (docs/apps.md#uninstall).
   * @throws 404 if it is not installed
   */
  run(spaceId: string, id: string, origin: Origin): Promise<void> {
    return runInTx(this.db, (tx) => this.in(tx, spaceId, id, origin), { spaceId, place: id });
  }

  /** Uninstalls an app from every space, in one transaction per space. */
  async everywhere(appId: string): Promise<void> {
    for (let left = STEP; left === STEP;) {
      const found = await this.db.manager.find(Installation, {
        select: { spaceId: true, id: true },
        where: { appId, deletedAt: IsNull() },
        take: STEP,
      });
      left = found.length;
      for (const { spaceId, id } of found) await this.unlessGone(spaceId, id);
    }
  }

  /** Like {@link run}, by the system, and without an error if the app is uninstalled already. */
  async unlessGone(spaceId: string, id: string): Promise<void> {
    try {
      await this.run(spaceId, id, BY_SYSTEM);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  private async in(tx: Tx, spaceId: string, id: string, origin: Origin): Promise<void> {
    const installation = await lockInstallation(tx, spaceId, id);
    const { botId } = installation;
    const deletedAt = new Date();
    await tx.manager.update(Installation, { spaceId, id }, { deletedAt, updatedAt: deletedAt });
    await tx.query(DROP_AUTHORIZATIONS_OF_INSTALLATION, [spaceId, id]);
    // Streams that people opened with its tokens end.
    await signalAccessChange(tx, spaceId);
    if (botId !== null) await this.bots.uninstall(tx, { spaceId, botId, origin });
    const data = botId === null ? {} : { bot_id: botId };
    await appendAppEvent(tx, { type: 'APP_UNINSTALLED', installation, origin, data });
    await recordChange(tx, {
      ...origin,
      spaceId,
      action: 'app.uninstalled',
      objectType: 'app_installation',
      objectId: id,
      changes: {},
    });
  }
}
