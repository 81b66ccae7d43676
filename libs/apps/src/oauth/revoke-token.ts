import { Injectable } from '@nestjs/common';
import { AppBots } from '@tieline/bots';
import { Db, nullable, runInTx, statement } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { TOKEN_PREFIXES } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { byBot } from '@tieline/spaces';
import { RevokeGrant } from '../authorizations/revoke-grant.js';
import { appendTokensRevoked } from '../events/append-tokens-revoked.js';
import { FIND_GRANT_OF_TOKEN } from './records.statements.js';

/** The bot with a token, and its app if it has one. $1 hash of the token */
export const FIND_BOT_OF_TOKEN = statement(
  'app_installations.find_bot_of_token',
  `SELECT b.space_id AS "spaceId", i.id AS "installationId", i.client_id AS "clientId", b.id AS "botId"
   FROM bots b
   LEFT JOIN app_installations i
     ON i.space_id = b.space_id AND i.bot_id = b.id AND i.deleted_at IS NULL
   WHERE b.token_hash = $1::bytea AND b.deleted_at IS NULL
   FOR NO KEY UPDATE OF b`,
  { spaceId: 'uuid', installationId: nullable('uuid'), clientId: nullable('text'), botId: 'uuid' },
);

/** Revokes tokens at the request of their holders. */
@Injectable()
export class RevokeToken {
  constructor(
    private readonly db: Db,
    private readonly bots: AppBots,
    private readonly revokeGrant: RevokeGrant,
  ) {}

  /**
   * Revokes the token of a bot. Ignores other tokens (RFC 7009).
   * @param clientId the app that the bot must belong to; undefined: any bot
   * @param ip address of the client, for the audit log
   */
  async ofBot(token: string, ip: string, clientId?: string): Promise<void> {
    if (!token.startsWith(TOKEN_PREFIXES.bot)) return;
    const work = async (tx: Tx): Promise<void> => {
      const [bot] = await tx.query(FIND_BOT_OF_TOKEN, [hashToken(token)]);
      if (!bot || (clientId !== undefined && bot.clientId !== clientId)) return;
      const { spaceId, botId, installationId } = bot;
      const origin = byBot(bot, ip);
      await this.bots.revokeToken(tx, { spaceId, botId, origin });
      if (installationId !== null)
        await appendTokensRevoked(tx, { spaceId, installationId, origin, botIds: [botId] });
    };
    await runInTx(this.db, work, { spaceId: 'oauth', place: clientId ?? 'bot' });
  }

  /**
   * Revokes the token that an app has of a person, and everything else of the same grant, as the
   * revocation endpoint does.
   */
  async ofPerson(token: string): Promise<void> {
    const [grant] = await this.db.query(FIND_GRANT_OF_TOKEN, [hashToken(token)]);
    if (grant) await this.revokeGrant.run(grant.grantHash, 'the app revoked it');
  }
}
