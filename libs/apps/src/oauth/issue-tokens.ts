import { Injectable } from '@nestjs/common';
import { AppBots } from '@tieline/bots';
import { Db, runInTx } from '@tieline/platform/database';
import type { RowOf, Tx } from '@tieline/platform/database';
import { hashToken } from '@tieline/signing';
import { byUser, recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import { scopesIn } from '../app.js';
import { Authorization } from '../authorizations/authorization.entity.js';
import { FIND_GRANT, TAKE_OVER_BOT } from '../authorizations/authorizations.statements.js';
import { Installation } from '../installations/installation.entity.js';
import type { TokenAnswer } from './oauth.view.js';
import { DROP_RECORD } from './records.statements.js';

/** How long an access token of a person, and a rotating token of a bot, is valid. */
export const ACCESS_SECONDS = 3600;
/** How long a refresh token is valid. */
export const REFRESH_SECONDS = 30 * 24 * 3600;
const BEARER = 'Bearer';

/** A response of the token endpoint as the provider wrote it. */
export interface ProviderAnswer {
  access_token: string;
  refresh_token?: string;
  scope?: string;
}

/** What the provider has just accepted. */
export interface Accepted {
  grantId: string;
  isRefresh: boolean;
  /** How long access tokens are valid. */
  accessSeconds: number;
  /** Address of the client, for the audit log. */
  ip: string;
}

/** Completes responses of the token endpoint with the token of the bot. */
@Injectable()
export class IssueTokens {
  constructor(
    private readonly db: Db,
    private readonly bots: AppBots,
  ) {}

  /**
   * Returns the response of the token endpoint: the token of the person, the token of the bot, or
   * both. Without a token of a person, the access token is that of the bot.
   * @returns undefined if the grant was revoked in the meantime
   */
  run(
    { grantId, isRefresh, accessSeconds, ip }: Accepted,
    given: ProviderAnswer,
  ): Promise<TokenAnswer | undefined> {
    const grantHash = hashToken(grantId);
    const work = async (tx: Tx): Promise<TokenAnswer | undefined> => {
      // A revocation waits for the lock, and then revokes what is issued here, too.
      const locked = await tx.manager.findOne(Authorization, {
        where: { grantHash },
        lock: { mode: 'for_no_key_update' },
      });
      const [grant] = locked ? await tx.query(FIND_GRANT, [grantHash]) : [];
      if (!grant) return undefined;
      const origin = byUser({ userId: grant.userId }, ip);
      const bot = await this.botPart(tx, { ...grant, grantHash, isRefresh, accessSeconds }, origin);
      const granted = (given.scope ?? '').split(' ');
      const scopes = scopesIn(grant.scopes.filter((scope) => granted.includes(scope)));
      const whose = { user: { id: grant.userId }, space: { id: grant.spaceId, name: grant.spaceName } };
      await extend(tx, grant, given.refresh_token === undefined ? accessSeconds : REFRESH_SECONDS);
      if (!isRefresh) await recordGrant(tx, grant, origin);
      const refresh = given.refresh_token === undefined ? {} : { refresh_token: given.refresh_token };
      if (scopes.length > 0)
        return {
          access_token: given.access_token,
          token_type: BEARER,
          scope: scopes.join(' '),
          expires_in: accessSeconds,
          ...refresh,
          ...(bot && { bot }),
          ...whose,
        };
      if (bot?.token === undefined) return undefined;
      await tx.query(DROP_RECORD, [hashToken(given.access_token), 'AccessToken']);
      const { token, scope, expires_in } = bot;
      const expiry = expires_in === undefined ? {} : { expires_in };
      return { access_token: token, token_type: BEARER, scope, ...expiry, ...refresh, bot, ...whose };
    };
    return runInTx(this.db, work, { spaceId: 'oauth', place: grantId });
  }

  /** Gives the bot a new token. A token that does not expire is given once, for the code. */
  private async botPart(
    tx: Tx,
    grant: RowOf<typeof FIND_GRANT> & { grantHash: Buffer } & Pick<Accepted, 'isRefresh' | 'accessSeconds'>,
    origin: Origin,
  ): Promise<TokenAnswer['bot']> {
    const { spaceId, botId, tokenRotation, accessSeconds, installationId: id } = grant;
    if (!grant.forBot || botId === null) return undefined;
    const scope = scopesIn(grant.botScopes).join(' ');
    if (grant.isRefresh && !tokenRotation) return { id: botId, scope };
    const expiresAt = tokenRotation ? new Date(Date.now() + accessSeconds * 1000) : null;
    const token = await this.bots.issueToken(tx, { spaceId, botId, origin }, expiresAt);
    if (token === undefined) return undefined;
    await tx.manager.update(Installation, { spaceId, id }, { botGrantHash: grant.grantHash });
    await tx.query(TAKE_OVER_BOT, [spaceId, id, grant.grantHash]);
    return { id: botId, token, scope, ...(tokenRotation && { expires_in: accessSeconds }) };
  }
}

async function extend(tx: Tx, { spaceId, id }: RowOf<typeof FIND_GRANT>, seconds: number): Promise<void> {
  const expiresAt = new Date(Date.now() + seconds * 1000);
  await tx.manager.update(Authorization, { spaceId, id }, { expiresAt });
}

async function recordGrant(tx: Tx, grant: RowOf<typeof FIND_GRANT>, origin: Origin): Promise<void> {
  const { spaceId, id: objectId, clientId, scopes, forBot } = grant;
  await recordChange(tx, {
    ...origin,
    spaceId,
    action: 'app.tokens_issued',
    objectType: 'app_authorization',
    objectId,
    changes: {
      client_id: { from: null, to: clientId },
      scopes: { from: null, to: scopes },
      for_bot: { from: null, to: forBot },
    },
  });
}
