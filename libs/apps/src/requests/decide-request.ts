import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { recordChange } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { scopesIn } from '../app.js';
import { appGone, requestDecided, requestNotFound } from '../apps.errors.js';
import { findClient } from '../apps.queries.js';
import { GrantAccess } from '../consent/grant-access.js';
import { AppRequest } from './app-request.entity.js';

/** Decides requests of members. */
@Injectable()
export class DecideRequest {
  constructor(
    private readonly db: Db,
    private readonly access: GrantAccess,
  ) {}

  /**
   * Installs the app that a member asked for. The member then connects it and receives the token of
   * its bot for the app.
   * @throws 404; 409 if the request is decided or the app is gone; 400 for unknown channels
   */
  approve(admin: ActingAdmin, id: string, channelIds: readonly string[] | undefined): Promise<AppRequest> {
    return this.decide(admin, id, 'approved', async (tx, request) => {
      const { appId, clientId, name, botScopes, userScopes, userId } = request;
      const app = appId === null ? null : await findClient(tx, clientId);
      if (appId !== null && (!app || (app.spaceId !== admin.spaceId && !app.isListed))) throw appGone();
      await this.access.install(tx, admin, {
        client: { clientId, name, iconUrl: app?.iconUrl ?? '', app },
        scopes: { bot: scopesIn(botScopes), user: scopesIn(userScopes) },
        channelIds,
        installedBy: userId,
      });
    });
  }

  /** Refuses what a member asked for. @throws 404; 409 if the request is decided */
  deny(admin: ActingAdmin, id: string): Promise<AppRequest> {
    return this.decide(admin, id, 'denied', () => Promise.resolve());
  }

  private decide(
    { spaceId, userId, origin }: ActingAdmin,
    id: string,
    state: 'approved' | 'denied',
    apply: (tx: Tx, request: AppRequest) => Promise<void>,
  ): Promise<AppRequest> {
    return runInTx(
      this.db,
      async (tx) => {
        const request = await tx.manager.findOne(AppRequest, {
          where: { spaceId, id },
          lock: { mode: 'for_no_key_update' },
        });
        if (!request) throw requestNotFound();
        if (request.state !== 'pending') throw requestDecided();
        await apply(tx, request);
        const decision = { state, decidedBy: userId, decidedAt: new Date() };
        await tx.manager.update(AppRequest, { spaceId, id }, decision);
        await recordChange(tx, {
          ...origin,
          spaceId,
          action: `app.request_${state}`,
          objectType: 'app_request',
          objectId: id,
          changes: {},
        });
        return { ...request, ...decision };
      },
      { spaceId, place: 'apps' },
    );
  }
}
