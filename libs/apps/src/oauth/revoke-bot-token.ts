import { Injectable } from '@nestjs/common';
import { AppBots } from '@tieline/bots';
import { Db, runInTx, statement } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { TOKEN_PREFIXES } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { byBot } from '@tieline/spaces';
import { appendTokensRevoked } from '../events/append-tokens-revoked.js';

/** The bot with a token, if it belongs to the client. $1 hash of the token, $2 client */
export const FIND_BOT_OF_CLIENT = statement(
  'app_installations.find_bot_of_client',
  `SELECT i.space_id AS "spaceId", i.id AS "installationId", b.id AS "botId"
   FROM bots b
   JOIN app_installations i ON i.space_id = b.space_id AND i.bot_id = b.id
   WHERE b.token_hash = $1::bytea AND i.client_id = $2::text AND i.deleted_at IS NULL`,
  { spaceId: 'uuid', installationId: 'uuid', botId: 'uuid' },
);

/** Revokes tokens of bots at the revocation endpoint. */
@Injectable()
export class RevokeBotToken {
  constructor(
    private readonly db: Db,
    private readonly bots: AppBots,
  ) {}

  /** Revokes the token if it is that of a bot of the client. Ignores all others (RFC 7009). */
  async run(clientId: string, token: string, ip: string): Promise<void> {
    if (!token.startsWith(TOKEN_PREFIXES.bot)) return;
    const work = async (tx: Tx): Promise<void> => {
      const [bot] = await tx.query(FIND_BOT_OF_CLIENT, [hashToken(token), clientId]);
      if (!bot) return;
      const origin = byBot(bot, ip);
      await this.bots.revokeToken(tx, { ...bot, origin });
      await appendTokensRevoked(tx, { ...bot, origin, botIds: [bot.botId] });
    };
    await runInTx(this.db, work, { spaceId: 'oauth', place: clientId });
  }
}
