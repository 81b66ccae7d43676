import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { Db, microBatch, statement } from '@tieline/platform/database';
import { TokenResolvers } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { hashToken } from '@tieline/platform/signing';

/** Bots of active spaces that are neither disabled nor deleted. Always read afresh: a regenerated token works at once. */
const BOTS_OF_TOKENS = statement(
  'bots.bots_of_tokens',
  `SELECT b.token_hash, b.id, b.space_id, b.channel_ids FROM bots b JOIN spaces s ON s.id = b.space_id
   WHERE b.token_hash = ANY($1::bytea[]) AND b.is_active AND b.deleted_at IS NULL AND s.is_active`,
);

interface TokenRow {
  token_hash: Buffer;
  id: string;
  space_id: string;
  channel_ids: string[];
}

/** Tells which bot a `tlb_` token speaks for; lookups that come together share one statement. */
@Injectable()
export class BotTokens implements OnModuleInit {
  private readonly lookUp = microBatch<Buffer, BotPrincipal | undefined>((hashes) => this.find(hashes));

  constructor(
    private readonly db: Db,
    private readonly resolvers: TokenResolvers,
  ) {}

  onModuleInit(): void {
    this.resolvers.register('tlb_', (token) => this.lookUp(hashToken(token)));
  }

  private async find(hashes: Buffer[]): Promise<(BotPrincipal | undefined)[]> {
    const rows = await this.db.query<TokenRow>(BOTS_OF_TOKENS, [hashes]);
    const bots = new Map(rows.map((row) => [row.token_hash.toString('latin1'), principalOf(row)]));
    return hashes.map((hash) => bots.get(hash.toString('latin1')));
  }
}

function principalOf({ id, space_id, channel_ids }: TokenRow): BotPrincipal {
  return { kind: 'bot', botId: id, spaceId: space_id, channelIds: channel_ids };
}
