import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { Db, LOOK_UP, microBatch } from '@tieline/platform/database';
import { TokenResolvers } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { USER_TOKEN_PREFIX } from './new-user-token.js';
import { USERS_BY_TOKEN } from './users.statements.js';

/**
 * Finds the person of a `tlu_` token. Always queries the database, so that a new token, a
 * deactivated person or space counts with the next request. Concurrent lookups share one statement.
 */
@Injectable()
export class UserTokens implements OnModuleInit {
  private readonly lookUp: (hash: Buffer) => Promise<UserPrincipal | undefined>;

  constructor(
    db: Db,
    private readonly resolvers: TokenResolvers,
  ) {
    this.lookUp = microBatch((hashes) => findByHashes(db, hashes), LOOK_UP.batches);
  }

  onModuleInit(): void {
    this.resolvers.register(USER_TOKEN_PREFIX, (token) => this.lookUp(hashToken(token)), {
      scheme: 'client',
      text: `a person's token (\`${USER_TOKEN_PREFIX}…\`)`,
    });
  }
}

async function findByHashes(db: Db, hashes: Buffer[]): Promise<(UserPrincipal | undefined)[]> {
  const rows = await db.lookUp(USERS_BY_TOKEN, [hashes]);
  const byHash = new Map(rows.map((row) => [row.tokenHash.toString('hex'), row]));
  return hashes.map((hash) => {
    const row = byHash.get(hash.toString('hex'));
    return row && { kind: 'user', userId: row.id, spaceId: row.spaceId, role: row.role, scopes: 'all' };
  });
}
