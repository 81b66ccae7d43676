import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { Db, LOOK_UP, microBatch } from '@tieline/platform/database';
import type { RowOf } from '@tieline/platform/database';
import { isScope, TokenResolvers } from '@tieline/platform/http';
import type { BotPrincipal, GrantedScopes } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { FIND_BOTS_BY_TOKEN } from './bots.statements.js';
import { BOT_TOKEN_PREFIX } from './new-bot-token.js';

/** Resolves `tlb_` tokens to bots. Concurrent lookups share one statement. */
@Injectable()
export class BotTokens implements OnModuleInit {
  private readonly lookUp = microBatch<Buffer, BotPrincipal | undefined>(
    (hashes) => this.find(hashes),
    LOOK_UP.batches,
  );

  constructor(
    private readonly db: Db,
    private readonly resolvers: TokenResolvers,
  ) {}

  onModuleInit(): void {
    this.resolvers.register(BOT_TOKEN_PREFIX, (token) => this.lookUp(hashToken(token)), {
      scheme: 'bot',
      text: `a bot's token (\`${BOT_TOKEN_PREFIX}…\`)`,
    });
  }

  private async find(hashes: Buffer[]): Promise<(BotPrincipal | undefined)[]> {
    const rows = await this.db.lookUp(FIND_BOTS_BY_TOKEN, [hashes]);
    const bots = new Map(rows.map((row) => [row.tokenHash.toString('latin1'), principalOf(row)]));
    return hashes.map((hash) => bots.get(hash.toString('latin1')));
  }
}

function principalOf({ tokenHash: _, scopes, ...bot }: RowOf<typeof FIND_BOTS_BY_TOKEN>): BotPrincipal {
  return { kind: 'bot', ...bot, scopes: grantedScopes(scopes) };
}

/** Returns what a bot with these stored scopes may do. */
export const grantedScopes = (scopes: readonly string[] | null): GrantedScopes =>
  scopes === null ? 'all' : new Set(scopes.filter(isScope));
