import { Injectable } from '@nestjs/common';
import { AppBots } from '@tieline/bots';
import { signalAccessChange } from '@tieline/live';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { BY_SYSTEM, recordChange } from '@tieline/spaces';
import { appendTokensRevoked } from '../events/append-tokens-revoked.js';
import { Installation } from '../installations/installation.entity.js';
import { DROP_GRANT } from './authorizations.statements.js';

/** Revokes grants. */
@Injectable()
export class RevokeGrant {
  constructor(
    private readonly db: Db,
    private readonly bots: AppBots,
  ) {}

  /**
   * Revokes everything that a grant gave: its codes, its tokens, and the token of the bot if the
   * bot still has the one of this grant. Does nothing if it is revoked already.
   * @param reason for the audit log
   */
  async run(grantHash: Buffer, reason: string): Promise<void> {
    const work = async (tx: Tx): Promise<void> => {
      const [grant] = await tx.query(DROP_GRANT, [grantHash]);
      if (!grant) return;
      const { spaceId, installationId, userId } = grant;
      await signalAccessChange(tx, userId);
      await recordChange(tx, {
        ...BY_SYSTEM,
        spaceId,
        action: 'app.authorization_revoked',
        objectType: 'app_authorization',
        objectId: grant.id,
        changes: { client_id: { from: grant.clientId, to: null }, reason: { from: null, to: reason } },
      });
      const botId = grant.forBot
        ? await this.revokeBot(tx, { spaceId, id: installationId, grantHash })
        : null;
      await appendTokensRevoked(tx, {
        spaceId,
        installationId,
        origin: BY_SYSTEM,
        userIds: grant.scopes.length > 0 ? [userId] : [],
        botIds: botId === null ? [] : [botId],
      });
    };
    await runInTx(this.db, work, { spaceId: 'oauth', place: grantHash.toString('hex') });
  }

  /**
   * Revokes the token of the bot if it is the one of this grant.
   * @returns the id of the bot, or null
   */
  private async revokeBot(
    tx: Tx,
    { spaceId, id, grantHash }: { spaceId: string; id: string; grantHash: Buffer },
  ): Promise<string | null> {
    const installation = await tx.manager.findOne(Installation, {
      where: { spaceId, id },
      lock: { mode: 'for_no_key_update' },
    });
    if (!installation?.botId || !installation.botGrantHash?.equals(grantHash)) return null;
    const { botId } = installation;
    await this.bots.revokeToken(tx, { spaceId, botId, origin: BY_SYSTEM });
    await tx.manager.update(Installation, { spaceId, id }, { botGrantHash: null });
    return botId;
  }
}
