import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { Db, LOOK_UP, microBatch } from '@tieline/platform/database';
import type { Queryable } from '@tieline/platform/database';
import { TOKEN_PREFIXES, TokenResolvers } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { scopesIn } from '../app.js';
import { FIND_PEOPLE_BY_TOKEN, FIND_REFUSED_TOKEN } from './authorizations.statements.js';

/**
 * Resolves the access tokens that apps have of people. Concurrent lookups share one statement, and
 * none needs the OAuth provider.
 */
@Injectable()
export class PersonTokens implements OnModuleInit {
  private readonly lookUp: (hash: Buffer) => Promise<UserPrincipal | undefined>;

  constructor(
    db: Db,
    private readonly resolvers: TokenResolvers,
  ) {
    this.lookUp = microBatch((hashes) => findByHashes(db, hashes), LOOK_UP.batches);
  }

  onModuleInit(): void {
    this.resolvers.register(TOKEN_PREFIXES.appAccess, (token) => this.lookUp(hashToken(token)));
  }
}

/** Returns why a token that {@link PersonTokens} does not resolve is refused. */
export async function refusedAppToken(
  q: Queryable,
  token: string,
): Promise<'expired' | 'inactive' | 'unknown'> {
  const [row] = await q.query(FIND_REFUSED_TOKEN, [hashToken(token)]);
  return row?.reason ?? 'unknown';
}

async function findByHashes(db: Db, hashes: Buffer[]): Promise<(UserPrincipal | undefined)[]> {
  const rows = await db.lookUp(FIND_PEOPLE_BY_TOKEN, [hashes]);
  const byHash = new Map(rows.map((row) => [row.tokenHash.toString('hex'), row]));
  return hashes.map((hash) => {
    const row = byHash.get(hash.toString('hex'));
    if (!row) return undefined;
    const inToken = (row.scope ?? '').split(' ');
    const scopes = new Set(scopesIn(row.scopes.filter((scope) => inToken.includes(scope))));
    return scopes.size === 0
      ? undefined
      : { kind: 'user', userId: row.userId, spaceId: row.spaceId, role: row.role, scopes };
  });
}
